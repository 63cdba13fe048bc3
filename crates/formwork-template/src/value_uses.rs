//! Finds the names in plain data: values of a template, or JSON. [`mod@crate::reference`] does so in a tree.

use serde_json::Value as Json;

use crate::sub_string::{Part, parts};
use crate::value::Value;

/// A value as the search for names reads it.
pub trait Data<'t>: Copy {
    /// Returns the long name of a function, and its argument.
    fn call(self) -> Option<(&'t str, Self)>;
    /// Returns a scalar as a string.
    fn text(self) -> Option<&'t str>;
    /// Returns the elements of a list.
    fn items(self) -> Option<impl Iterator<Item = Self>>;
    /// Returns the keys and values of an object; none for any other value.
    fn members(self) -> impl Iterator<Item = (&'t str, Self)>;
}

impl<'v, 't: 'v> Data<'t> for &'v Value<'t> {
    fn call(self) -> Option<(&'t str, Self)> {
        match self {
            Value::Call(name, argument) => Some((name, argument)),
            _ => None,
        }
    }

    fn text(self) -> Option<&'t str> {
        Value::text(self)
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        match self {
            Value::List(items) => Some(items.iter()),
            _ => None,
        }
    }

    fn members(self) -> impl Iterator<Item = (&'t str, Self)> {
        Value::members(self).iter().map(|(key, value)| (*key, value))
    }
}

impl<'v> Data<'v> for &'v Json {
    fn call(self) -> Option<(&'v str, Self)> {
        let object = self.as_object().filter(|object| object.len() == 1)?;
        let (name, argument) = object.iter().next()?;
        (name == "Ref" || name.starts_with("Fn::")).then_some((name, argument))
    }

    fn text(self) -> Option<&'v str> {
        self.as_str()
    }

    fn items(self) -> Option<impl Iterator<Item = Self>> {
        self.as_array().map(|items| items.iter())
    }

    fn members(self) -> impl Iterator<Item = (&'v str, Self)> {
        self.as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
}

/// A name in a value.
#[derive(Clone, Copy, Debug)]
pub struct Use<'t, V> {
    /// The name, without attribute. That of an export as far as it is literal, `?` if it is not.
    pub name: &'t str,
    /// The function of the name.
    pub by: By<'t, V>,
    /// Set in a branch of an `Fn::If`, which may not be taken.
    pub in_branch: bool,
}

/// The function of a name.
#[derive(Clone, Copy, Debug)]
pub enum By<'t, V> {
    /// `Ref`
    Ref,
    /// `Fn::GetAtt`, with the attribute where it is a value of its own.
    GetAtt(Option<V>),
    /// The string of `Fn::Sub`, with the attribute.
    Sub(Option<&'t str>),
    /// `Condition` or `Fn::If`.
    Condition,
    /// `Fn::ImportValue`
    Import,
}

/// Calls `found` with each name at or below a value, in order.
pub fn each<'t, V: Data<'t>>(value: V, found: &mut dyn FnMut(Use<'t, V>)) {
    walk(value, false, found);
}

fn walk<'t, V: Data<'t>>(value: V, in_branch: bool, found: &mut dyn FnMut(Use<'t, V>)) {
    let Some((function, argument)) = value.call() else {
        return below(value, in_branch, found);
    };
    let mut add = |name: &'t str, by| found(Use { name, by, in_branch });
    match function {
        "Ref" => argument.text().into_iter().for_each(|name| add(name, By::Ref)),
        "Condition" => argument.text().into_iter().for_each(|name| add(name, By::Condition)),
        "Fn::GetAtt" => match argument.items() {
            Some(mut items) => {
                let (name, rest) = (items.next().and_then(V::text), items.collect::<Vec<_>>());
                if let Some(name) = name {
                    add(name, By::GetAtt(rest.first().copied()));
                }
                for item in rest {
                    walk(item, in_branch, found);
                }
            }
            None => argument.text().into_iter().for_each(|text| add(split(text).0, By::GetAtt(None))),
        },
        "Fn::Sub" => {
            let (text, variables) = sub(argument);
            let is_own = |name: &str| variables.is_some_and(|own| own.members().any(|(own, _)| own == name));
            for name in text.into_iter().flat_map(parts).filter_map(Part::variable).filter(|name| !is_own(name)) {
                let (name, attribute) = split(name);
                add(name, By::Sub(attribute));
            }
            if let Some(variables) = variables {
                below(variables, in_branch, found);
            }
        }
        "Fn::If" => match argument.items() {
            Some(items) => {
                for (at, item) in items.enumerate() {
                    match item.text().filter(|_| at == 0) {
                        Some(name) => found(Use { name, by: By::Condition, in_branch }),
                        None => walk(item, true, found),
                    }
                }
            }
            None => walk(argument, true, found),
        },
        "Fn::ImportValue" => {
            add(import_name(argument), By::Import);
            walk(argument, in_branch, found);
        }
        _ => walk(argument, in_branch, found),
    }
}

fn below<'t, V: Data<'t>>(value: V, in_branch: bool, found: &mut dyn FnMut(Use<'t, V>)) {
    match value.items() {
        Some(items) => items.for_each(|item| walk(item, in_branch, found)),
        None => value.members().for_each(|(_, value)| walk(value, in_branch, found)),
    }
}

/// Returns the string of `Fn::Sub`, and its own variables.
fn sub<'t, V: Data<'t>>(argument: V) -> (Option<&'t str>, Option<V>) {
    match argument.items() {
        Some(mut items) => (items.next().and_then(V::text), items.next()),
        None => (argument.text(), None),
    }
}

/// Splits `Name.Attribute`.
fn split(name: &str) -> (&str, Option<&str>) {
    name.split_once('.').map_or((name, None), |(name, attribute)| (name, Some(attribute)))
}

fn import_name<'t, V: Data<'t>>(argument: V) -> &'t str {
    let text = match argument.call() {
        Some(("Fn::Sub", inner)) => sub(inner).0,
        _ => argument.text(),
    };
    text.unwrap_or("?")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names<'t, V: Data<'t>>(value: V) -> Vec<(&'t str, bool)> {
        let mut names = Vec::new();
        each(value, &mut |one| names.push((one.name, one.in_branch)));
        names
    }

    #[test]
    fn names_of_values_and_of_json_are_the_same() {
        let call = |name, argument| Value::Call(name, Box::new(argument));
        let variables = Value::Map(vec![("B", call("Ref", Value::String("C")))]);
        let value = Value::List(vec![
            call("Fn::Sub", Value::List(vec![Value::String("${A.Arn}${B}${!D}"), variables])),
            call("Fn::GetAtt", Value::List(vec![Value::String("E"), call("Ref", Value::String("F"))])),
            call("Fn::If", Value::List(vec![Value::String("G"), call("Ref", Value::String("H")), Value::Null])),
            call("Fn::ImportValue", call("Fn::Sub", Value::String("${I}-x"))),
        ]);
        let wanted = [
            ("A", false),
            ("C", false),
            ("E", false),
            ("F", false),
            ("G", false),
            ("H", true),
            ("${I}-x", false),
            ("I", false),
        ];
        assert_eq!(names(&value), wanted);
        assert_eq!(names(&value.to_json()), wanted);
        assert!(names(&json!({"Ref": "A", "Fn::GetAtt": "B.C"})).is_empty());
        assert_eq!(names(&json!([{"Fn::GetAtt": "B.C"}, {"Ref": 5}])), [("B", false)]);
    }
}
