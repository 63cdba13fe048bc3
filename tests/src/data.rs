//! Templates as data: what two spellings of one template have in common.

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_syntax::{Kind, NodeId, Tree, View};
use serde_json::{Map, Number, Value};

/// Reads YAML or JSON with the reader of the engine.
///
/// # Errors
/// In the words of the reader.
pub fn read(text: &str) -> Result<Value, String> {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let file = sources.add(VirtualPath::new("data"), text).ok_or("too large")?;
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    if !document.is_well_formed {
        return Err(diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; "));
    }
    Ok(value(&tree, document.root))
}

/// A node as data: calls by their long names.
pub fn value(tree: &Tree, node: NodeId) -> Value {
    match tree.view(node) {
        View::Null => Value::Null,
        View::Bool(truth) => Value::Bool(truth),
        View::Number(text) => number(text),
        View::String(text) => Value::String(text.to_owned()),
        View::List(items) => items.iter().map(|&item| value(tree, item)).collect(),
        View::Map => Value::Object(
            tree.entries(node).map(|entry| (tree.text(entry.key).to_owned(), value(tree, entry.value))).collect(),
        ),
        View::Call(function, argument) => {
            debug_assert_eq!(tree.kind(node), Kind::Call);
            object(tree.function_name(function), value(tree, argument))
        }
    }
}

/// A number by its value; as text where JSON has no such number.
fn number(text: &str) -> Value {
    let parsed: Result<Number, _> = serde_json::from_str(text);
    parsed.map_or_else(|_| Value::String(text.to_owned()), Value::Number)
}

/// An object of one key.
pub fn object(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}

/// Functions in one spelling: `Fn::GetAtt` as a list of two, `Fn::Sub` with an empty map without it.
#[must_use]
pub fn long_form(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut members = map.iter();
            if let (Some((name, inner)), None) = (members.next(), members.next()) {
                match (name.as_str(), inner) {
                    ("Fn::GetAtt", Value::String(text)) => {
                        return object(name, text.splitn(2, '.').map(Value::from).collect());
                    }
                    ("Fn::Sub", Value::Array(items)) => {
                        if let [text, Value::Object(variables)] = items.as_slice()
                            && variables.is_empty()
                        {
                            return object(name, long_form(text));
                        }
                    }
                    _ => {}
                }
            }
            map.iter().map(|(name, value)| (name.clone(), long_form(value))).collect()
        }
        Value::Array(items) => items.iter().map(long_form).collect(),
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_spelling() {
        let read = |text| long_form(&read(text).expect("sound"));
        let want = json!({"A": {"Fn::GetAtt": ["X", "Y.Z"]}, "B": {"Fn::Sub": "t"}, "C": [1, "01", true, null]});
        assert_eq!(read("A: !GetAtt X.Y.Z\nB: !Sub [t, {}]\nC: [1, 01, yes, ~]\n"), want);
        assert_eq!(read(&want.to_string()), want);
    }
}
