//! `Globals` of the serverless transform: the values that they add to resources are compared as part of them
//! (reference/plan.md#globals).

use formwork_plan::Value;
use formwork_syntax::NodeId;
use formwork_template::{Section, serverless_globals};

use crate::compilation::Compilation;

/// The prefix of the types that `Globals` affect.
const PREFIX: &str = "AWS::Serverless::";

pub(super) fn kind(type_name: &str) -> Option<&str> {
    let kind = type_name.strip_prefix(PREFIX)?;
    serverless_globals::properties(kind).map(|_| kind)
}

pub(super) fn node(compilation: &Compilation, type_name: &str) -> Option<NodeId> {
    let tree = &compilation.tree;
    let globals = tree.get(compilation.root, Section::Globals.symbol())?;
    tree.get_text(globals, kind(type_name)?)
}

/// Merges `Globals` into the properties of a resource. Its own values take precedence, objects are merged, and its list
/// follows that of `Globals`.
pub(super) fn merged<'c>(resource: Value<'c>, globals: Value<'c>) -> Value<'c> {
    let Value::Map(mut members) = resource else { return resource };
    let ignored = members.iter().find(|(key, _)| *key == "IgnoreGlobals").map(|(_, value)| value.clone());
    let is_ignored = |name: &str| {
        let names = ignored.as_ref().map(Value::elements).unwrap_or_default();
        names.iter().any(|one| one.text().is_some_and(|text| text == "*" || text == name))
    };
    let Value::Map(globals) = globals else { return Value::Map(members) };
    let globals = Value::Map(globals.into_iter().filter(|(name, _)| !is_ignored(name)).collect());
    match members.iter_mut().find(|(key, _)| *key == "Properties") {
        Some((_, own)) => *own = merge(globals, std::mem::replace(own, Value::Null)),
        None => members.push(("Properties", globals)),
    }
    Value::Map(members)
}

fn merge<'c>(global: Value<'c>, own: Value<'c>) -> Value<'c> {
    match (global, own) {
        (Value::Map(global), Value::Map(mut own)) => {
            for (key, value) in global {
                match own.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, there)) => *there = merge(value, std::mem::replace(there, Value::Null)),
                    None => own.push((key, value)),
                }
            }
            Value::Map(own)
        }
        (Value::List(mut global), Value::List(own)) => {
            global.extend(own);
            Value::List(global)
        }
        (_, own) => own,
    }
}

/// The path in `Globals` of a value that a resource of this type has from there.
pub(super) fn path(type_name: &str, path: &[String]) -> Option<Vec<String>> {
    let [_, _, properties, rest @ ..] = path else { return None };
    let names = ["Globals", kind(type_name)?].map(str::to_owned).into_iter().chain(rest.iter().cloned());
    (properties == "Properties" && !rest.is_empty()).then(|| names.collect())
}
