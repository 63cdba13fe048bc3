//! Finds the names that a value uses.

use formwork_plan::{Value, sub_parts};

use crate::model::EdgeKind;

pub(crate) struct Use<'t> {
    pub(crate) name: &'t str,
    pub(crate) kind: EdgeKind,
    /// Set if the use does not depend on conditions, and is part of the deployment.
    pub(crate) is_certain: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Around {
    /// Set for a parameter of a nested stack.
    pub(crate) is_passed: bool,
    /// Set if the value is deployed in any case: not in metadata, and not in a branch of an `Fn::If`.
    pub(crate) is_certain: bool,
}

pub(crate) fn each<'t>(value: &Value<'t>, around: Around, found: &mut dyn FnMut(Use<'t>)) {
    let kind = |kind: EdgeKind| if around.is_passed { EdgeKind::Nested } else { kind };
    let named = |name: &'t str, kind: EdgeKind| Use { name, kind, is_certain: around.is_certain };
    match value {
        Value::Call("Ref", argument) => {
            if let Some(name) = argument.text() {
                found(named(name, kind(EdgeKind::Ref)));
            }
        }
        Value::Call("Fn::GetAtt", argument) => {
            let mut parts = argument.elements().iter();
            if let Some(name) = parts.next().and_then(Value::text) {
                let line = |value: &Value<'_>| value.text().map_or_else(|| value.to_line().into_owned(), str::to_owned);
                let attribute = parts.next().map(line).unwrap_or_default();
                found(named(name, kind(EdgeKind::GetAtt(attribute))));
            }
        }
        Value::Call("Fn::Sub", argument) => {
            let (text, variables) = match &**argument {
                Value::List(items) => (items.first().and_then(Value::text), items.get(1).map(Value::members)),
                text => (text.text(), None),
            };
            let variables = variables.unwrap_or_default();
            for name in text.map(sub_parts).unwrap_or_default() {
                if !variables.iter().any(|(own, _)| *own == name) {
                    let id = name.split_once('.').map_or(name, |(id, _)| id);
                    found(named(id, kind(EdgeKind::Sub)));
                }
            }
            for (_, value) in variables {
                each(value, around, found);
            }
        }
        Value::Call("Condition", argument) => {
            if let Some(name) = argument.text() {
                found(named(name, EdgeKind::Condition));
            }
        }
        Value::Call("Fn::If", argument) => {
            for (at, item) in argument.elements().iter().enumerate() {
                match item.text() {
                    Some(name) if at == 0 => found(named(name, EdgeKind::Condition)),
                    _ => each(item, Around { is_certain: false, ..around }, found),
                }
            }
        }
        Value::Call("Fn::ImportValue", argument) => {
            found(named(import_name(argument), EdgeKind::Import));
            each(argument, around, found);
        }
        Value::Call(_, argument) => each(argument, around, found),
        Value::List(items) => items.iter().for_each(|item| each(item, around, found)),
        Value::Map(members) => members.iter().for_each(|(_, value)| each(value, around, found)),
        _ => {}
    }
}

/// Returns the literal part of an export's name: the string of `Fn::Sub` for a computed one.
fn import_name<'t>(argument: &Value<'t>) -> &'t str {
    match argument {
        Value::Call("Fn::Sub", inner) => match &**inner {
            Value::List(items) => items.first().and_then(Value::text).unwrap_or("?"),
            text => text.text().unwrap_or("?"),
        },
        text => text.text().unwrap_or("?"),
    }
}
