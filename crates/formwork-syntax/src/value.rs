//! Owned data, for answers and for other languages.

use formwork_base::Span;
use formwork_base::display::MASK;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::function::{Function, Known};
use crate::tree::{Kind, NodeId, Tree};

/// A value with everything below it. Calls are mappings of one key, the function's long name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A null.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A number in its written form.
    Number(String),
    /// A string.
    String(String),
    /// A list.
    List(Vec<Value>),
    /// A mapping with its entries, in order.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// Copies the data below a node.
    pub fn new(tree: &Tree, node: NodeId) -> Value {
        Value::masked(tree, node, &[])
    }

    /// Copies the data below a node, with `****` in place of scalars whose text is in one of `secrets`.
    pub fn masked(tree: &Tree, node: NodeId, secrets: &[Span]) -> Value {
        let text = || tree.text(node).to_owned();
        let is_secret = || {
            let span = tree.span(node);
            !span.is_none() && secrets.iter().any(|secret| secret.contains(span) || span.contains(*secret))
        };
        match tree.kind(node) {
            Kind::Null => Value::Null,
            Kind::Bool | Kind::Number | Kind::String | Kind::Key if is_secret() => Value::String(MASK.to_owned()),
            Kind::Bool => Value::Bool(tree.text_form(node) == "true"),
            Kind::Number => Value::Number(text()),
            Kind::String | Kind::Key => Value::String(text()),
            Kind::List => {
                Value::List(tree.items(node).iter().map(|&item| Value::masked(tree, item, secrets)).collect())
            }
            Kind::Map => Value::Map(
                tree.entries(node)
                    .map(|entry| (tree.text(entry.key).to_owned(), Value::masked(tree, entry.value, secrets)))
                    .collect(),
            ),
            Kind::Call => {
                let (function, argument) = tree.call(node);
                let value = match attribute(tree, function, argument) {
                    Some((name, attribute)) => {
                        Value::List(vec![Value::String(name.to_owned()), Value::String(attribute.to_owned())])
                    }
                    None => Value::masked(tree, argument, secrets),
                };
                Value::Map(vec![(tree.function_name(function).to_owned(), value)])
            }
        }
    }
}

/// Serializes plain CloudFormation data: mappings in the order of their entries, calls by their long names. A number is
/// a number of the serializer where that is exact, else a string.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(text) => number(text, serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

fn number<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if let Ok(whole) = text.parse::<i64>()
        && whole.to_string() == text
    {
        return serializer.serialize_i64(whole);
    }
    match text.parse::<f64>() {
        Ok(value) if value.to_string() == text => serializer.serialize_f64(value),
        _ => serializer.serialize_str(text),
    }
}

/// Returns the parts of the string argument of `Fn::GetAtt`, which is a list in the long spelling.
pub(crate) fn attribute(tree: &Tree, function: Function, argument: NodeId) -> Option<(&str, &str)> {
    if function != Function::Known(Known::GetAtt) {
        return None;
    }
    tree.string(argument)?.split_once('.')
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_value_is_the_same_data_in_json() {
        let text = |text: &str| Value::String(text.to_owned());
        let number = |text: &str| Value::Number(text.to_owned());
        let numbers = ["5", "-1", "1.5", "1.50", "12345678901234567890", "0x1F", "1e3"].map(number).into();
        let value = Value::Map(vec![
            ("b".to_owned(), Value::List(vec![Value::Null, Value::Bool(true), text("x")])),
            ("a".to_owned(), Value::List(numbers)),
        ]);
        let json = serde_json::to_string(&value).expect("it has text keys");
        let want = r#"{"b":[null,true,"x"],"a":[5,-1,1.5,"1.50","12345678901234567890","0x1F","1e3"]}"#;
        assert_eq!(json, want);
    }
}
