//! References between resources: finding and renaming them.

use std::borrow::Cow;

use formwork_template::sub_string::{Part, parts};
use rustc_hash::FxHashMap;

use crate::value::Value;

/// New logical IDs by old ones.
pub(crate) type Renames<'t> = FxHashMap<&'t str, &'t str>;

/// Returns the placeholders of the string of `Fn::Sub`: `Queue.Arn` of `${Queue.Arn}`.
pub fn sub_parts(text: &str) -> Vec<&str> {
    parts(text).filter_map(Part::variable).collect()
}

/// Returns the string of `Fn::Sub` and its own variables; `None` when the argument is something else.
pub(crate) fn sub<'v, 't>(argument: &'v Value<'t>) -> Option<(&'t str, &'v [(&'t str, Value<'t>)])> {
    match argument {
        Value::String(text) => Some((text, &[])),
        Value::List(items) => match items.as_slice() {
            [Value::String(text), variables] => Some((text, variables.members())),
            [Value::String(text)] => Some((text, &[])),
            _ => None,
        },
        _ => None,
    }
}

fn target(placeholder: &str) -> &str {
    placeholder.split_once('.').map_or(placeholder, |(id, _)| id)
}

/// Calls `found` with each name that a value refers to by `Ref`, `Fn::GetAtt` or `Fn::Sub`, and the attribute of it.
pub(crate) fn each<'t>(value: &Value<'t>, found: &mut dyn FnMut(&'t str, Option<&'t str>)) {
    match value {
        Value::Call("Ref", argument) => argument.text().into_iter().for_each(|name| found(name, None)),
        Value::Call("Fn::GetAtt", argument) => {
            let (id, rest) = match argument.elements() {
                [id, rest @ ..] => (Some(id), rest),
                [] => (None, &[][..]),
            };
            let attribute = rest.first().and_then(Value::text);
            id.and_then(Value::text).into_iter().for_each(|id| found(id, attribute));
            for value in rest {
                each(value, found);
            }
        }
        Value::Call("Fn::Sub", argument) => {
            if let Some((text, variables)) = sub(argument) {
                let is_own = |name: &&str| variables.iter().any(|(own, _)| own == name);
                for name in parts(text).filter_map(Part::variable).filter(|name| !is_own(name)) {
                    match name.split_once('.') {
                        Some((id, attribute)) => found(id, Some(attribute)),
                        None => found(name, None),
                    }
                }
                for (_, value) in variables {
                    each(value, found);
                }
            }
        }
        Value::Call(_, argument) => each(argument, found),
        Value::List(items) => items.iter().for_each(|item| each(item, found)),
        Value::Map(members) => members.iter().for_each(|(_, value)| each(value, found)),
        _ => {}
    }
}

pub(crate) fn renamed<'t>(name: &'t str, renames: &Renames<'t>) -> &'t str {
    renames.get(name).copied().unwrap_or(name)
}

/// Applies a renaming to the string of `Fn::Sub`. `is_own` is true for its own variables.
pub(crate) fn renamed_sub<'t>(
    text: &'t str,
    is_own: &dyn Fn(&str) -> bool,
    new_name: &dyn Fn(&'t str) -> Cow<'t, str>,
) -> Cow<'t, str> {
    let mut out = String::with_capacity(text.len());
    let mut has_changed = false;
    for part in parts(text) {
        let Part::Variable(name) = part else {
            part.write(&mut out);
            continue;
        };
        let id = target(name);
        let new = if is_own(name) { Cow::Borrowed(id) } else { new_name(id) };
        has_changed |= new != id;
        out.extend(["${", &new, name.get(id.len()..).unwrap_or_default(), "}"]);
    }
    if has_changed { out.into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn call<'t>(name: &'t str, argument: Value<'t>) -> Value<'t> {
        Value::Call(name, Box::new(argument))
    }

    #[test]
    fn placeholders_are_found() {
        assert_eq!(sub_parts("a-${A.Arn}-${!B}-${ C }"), ["A.Arn", "C"]);
    }

    #[test]
    fn own_variables_of_sub_are_no_references() {
        let variables = Value::Map(vec![("B", call("Ref", Value::String("C")))]);
        let value = call("Fn::Sub", Value::List(vec![Value::String("${A.Arn}${B}"), variables]));
        let mut names = Vec::new();
        each(&value, &mut |name, _| names.push(name));
        assert_eq!(names, ["A", "C"]);
    }
}
