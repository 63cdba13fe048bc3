//! New data: lists, mappings and calls.

use crate::value::{Map, Value};

/// Returns a mapping of these entries.
pub(crate) fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::from(entries.into_iter().collect::<Map>())
}

/// Returns a list of these items.
pub(crate) fn list<T: Into<Value>, const N: usize>(items: [T; N]) -> Value {
    Value::from(items.into_iter().map(Into::into).collect::<Vec<Value>>())
}

/// Returns a call of a function by its long name.
pub(crate) fn call(function: &str, argument: impl Into<Value>) -> Value {
    map([(function, argument.into())])
}

/// Returns `{Ref: name}`.
pub(crate) fn reference(name: &str) -> Value {
    call("Ref", name)
}

/// Returns `{Fn::GetAtt: [id, attribute]}`.
pub(crate) fn get_att(id: &str, attribute: &str) -> Value {
    call("Fn::GetAtt", list([id, attribute]))
}

/// Returns `{Fn::Sub: text}`.
pub(crate) fn sub(text: &str) -> Value {
    call("Fn::Sub", text)
}

/// Returns `{Fn::Sub: [text, variables]}`.
pub(crate) fn sub_with<const N: usize>(text: &str, variables: [(&str, Value); N]) -> Value {
    call("Fn::Sub", list([Value::from(text), map(variables)]))
}

/// Returns `{Fn::Join: [delimiter, parts]}`.
pub(crate) fn join(delimiter: &str, parts: Vec<Value>) -> Value {
    call("Fn::Join", list([Value::from(delimiter), Value::from(parts)]))
}

/// Returns `{Fn::If: [condition, yes, no]}`.
pub(crate) fn if_else(condition: impl Into<Value>, yes: Value, no: Value) -> Value {
    call("Fn::If", list([condition.into(), yes, no]))
}

/// Returns `{Ref: AWS::NoValue}`.
#[allow(dead_code, reason = "for APIs")]
pub(crate) fn no_value() -> Value {
    reference("AWS::NoValue")
}

/// Returns an inline policy.
pub(crate) fn policy(name: &str, document: Value) -> Value {
    map([("PolicyName", name.into()), ("PolicyDocument", document)])
}
