//! Values of an expanded template, as plain data.

use std::borrow::Cow;

use formwork_base::display::MASK;

/// A value with everything below it. Strings are borrowed from the template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value<'t> {
    /// Null.
    Null,
    /// A Boolean.
    Bool(bool),
    /// A number, as it is written.
    Number(&'t str),
    /// A string.
    String(&'t str),
    /// The value of a `NoEcho` parameter: it is compared and never printed.
    Secret(&'t str),
    /// Elements, in order.
    List(Vec<Value<'t>>),
    /// Keys and values, in order.
    Map(Vec<(&'t str, Value<'t>)>),
    /// An intrinsic function by its long name, and its argument. That of `Fn::GetAtt` is a list.
    Call(&'t str, Box<Value<'t>>),
}

impl<'t> Value<'t> {
    /// Returns the value of a key of a map.
    pub fn get(&self, name: &str) -> Option<&Value<'t>> {
        match self {
            Value::Map(members) => members.iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the value at a path of keys and indexes.
    pub fn at(&self, path: &[Step<'_>]) -> Option<&Value<'t>> {
        let mut value = self;
        for step in path {
            value = match (value, step) {
                (Value::Map(_), Step::Name(name)) => value.get(name)?,
                (Value::List(items), Step::Index(index)) => items.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Returns a scalar as a string; Booleans are `true` and `false`.
    pub fn text(&self) -> Option<&'t str> {
        match self {
            Value::Bool(true) => Some("true"),
            Value::Bool(false) => Some("false"),
            Value::Number(text) | Value::String(text) | Value::Secret(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the keys and values of a map; empty for any other value.
    pub fn members(&self) -> &[(&'t str, Value<'t>)] {
        match self {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of a list; any other value is its own only element.
    pub fn elements(&self) -> &[Value<'t>] {
        match self {
            Value::List(items) => items,
            one => std::slice::from_ref(one),
        }
    }

    /// Returns `true` for a function.
    pub fn is_call(&self) -> bool {
        matches!(self, Value::Call(..))
    }

    /// Returns `true` if the value is or contains a function: it is known at deployment only.
    pub fn has_call(&self) -> bool {
        match self {
            Value::Call(..) => true,
            Value::List(items) => items.iter().any(Value::has_call),
            Value::Map(members) => members.iter().any(|(_, value)| value.has_call()),
            _ => false,
        }
    }

    /// Returns the number of scalars, calls and empty collections at or below the value.
    pub fn leaves(&self) -> usize {
        match self {
            Value::List(items) if !items.is_empty() => items.iter().map(Value::leaves).sum(),
            Value::Map(members) if !members.is_empty() => members.iter().map(|(_, value)| value.leaves()).sum(),
            Value::Call(_, argument) => 1 + argument.leaves(),
            _ => 1,
        }
    }

    /// Returns the value as JSON; functions in the long spelling, secrets as `****`.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => (*truth).into(),
            Value::Number(text) => {
                serde_json::from_str(text).ok().filter(serde_json::Value::is_number).unwrap_or_else(|| (*text).into())
            }
            Value::String(text) => (*text).into(),
            Value::Secret(_) => MASK.into(),
            Value::List(items) => items.iter().map(Value::to_json).collect(),
            Value::Map(members) => members.iter().map(|(key, value)| ((*key).to_owned(), value.to_json())).collect(),
            Value::Call(name, argument) => {
                let member = ((*name).to_owned(), argument.to_json());
                serde_json::Value::Object(std::iter::once(member).collect())
            }
        }
    }

    /// Writes the value in one line for people: short functions as authors write them, else JSON.
    pub fn to_line(&self) -> Cow<'t, str> {
        match self {
            Value::Null => "null".into(),
            Value::Secret(_) => MASK.into(),
            Value::Number(text) => (*text).into(),
            Value::Bool(true) => "true".into(),
            Value::Bool(false) => "false".into(),
            Value::Call("Ref", argument) => match argument.text() {
                Some(name) => format!("!Ref {name}").into(),
                None => self.json_line().into(),
            },
            Value::Call("Fn::GetAtt", argument) => match argument.elements() {
                [id, attribute] => match id.text().zip(attribute.text()) {
                    Some((id, attribute)) => format!("!GetAtt {id}.{attribute}").into(),
                    None => self.json_line().into(),
                },
                _ => self.json_line().into(),
            },
            Value::Call("Fn::Sub", argument) => match argument.text() {
                Some(text) => format!("!Sub {}", quoted(text)).into(),
                None => self.json_line().into(),
            },
            _ => self.json_line().into(),
        }
    }

    fn json_line(&self) -> String {
        serde_json::to_string(&self.to_json()).unwrap_or_default()
    }
}

/// Returns a string in double quotes.
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A step of a path.
pub type Step<'t> = formwork_base::PathStep<'t>;

/// Writes a path in its dotted form, as `formwork explain` takes it: `Properties.Tags.0.Value`, odd keys as `["a.b"]`.
pub fn dotted(path: &[Step<'_>]) -> String {
    formwork_base::dotted(path.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_printed_as_authors_write_them() {
        let get = Value::List(vec![Value::String("A"), Value::String("Arn")]);
        assert_eq!(Value::Call("Ref", Box::new(Value::String("A"))).to_line(), "!Ref A");
        assert_eq!(Value::Call("Fn::GetAtt", Box::new(get)).to_line(), "!GetAtt A.Arn");
        assert_eq!(Value::Call("Fn::Sub", Box::new(Value::String("${A}-x"))).to_line(), "!Sub \"${A}-x\"");
        assert_eq!(Value::Map(vec![("a", Value::Number("1"))]).to_line(), r#"{"a":1}"#);
    }

    #[test]
    fn secrets_are_masked() {
        let value = Value::List(vec![Value::Secret("hunter2")]);
        assert_eq!(value.to_line(), r#"["****"]"#);
        assert_eq!(Value::Secret("hunter2").to_json(), "****");
    }

    #[test]
    fn paths_are_dotted() {
        assert_eq!(dotted(&[Step::Name("Tags"), Step::Index(0), Step::Name("a.b")]), r#"Tags.0["a.b"]"#);
    }
}
