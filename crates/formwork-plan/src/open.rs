//! Possible forms of values that depend on unknown values.

use formwork_template::sub_string::{Part, parts};
use rustc_hash::FxHashSet;

use crate::references::sub;
use formwork_template::value::Value;

/// Returns the one name in a string, and its prefix and suffix: empty for `Ref`.
pub(crate) fn form<'t>(value: &Value<'t>) -> Option<(&'t str, String, String)> {
    match value {
        Value::Call("Ref", name) => Some((name.text()?, String::new(), String::new())),
        Value::Call("Fn::Sub", argument) => {
            let (text, own) = sub(argument)?;
            let (mut name, mut around) = (None, [String::new(), String::new()]);
            for part in parts(text) {
                match part {
                    Part::Variable(found) if name.is_none() && own.is_empty() => name = Some(found),
                    Part::Variable(_) => return None,
                    part => part.write_plain(around.get_mut(usize::from(name.is_some()))?),
                }
            }
            let [prefix, suffix] = around;
            Some((name?, prefix, suffix))
        }
        _ => None,
    }
}

/// Returns `true` if two values, one of which is a function, may be equal under some values. A reference to one of
/// `resources` equals any other such reference, since resources may have moved, and never a literal.
pub(crate) fn may_be_same<'t>(a: &Value<'t>, b: &Value<'t>, resources: &FxHashSet<&'t str>) -> bool {
    if a == b {
        return true;
    }
    if let (Some(a), Some(b)) = (around(a), around(b)) {
        return overlap(&a, &b);
    }
    match (a, b) {
        (Value::Call("Fn::If", branches), other) | (other, Value::Call("Fn::If", branches)) => {
            let branches = branches.elements().get(1..).unwrap_or_default();
            branches.iter().any(|branch| {
                !branch.is_call() && !other.is_call() && branch == other
                    || (branch.is_call() || other.is_call()) && may_be_same(branch, other, resources)
                    || matches!((branch, other), (Value::Map(_), Value::Map(_)) | (Value::List(_), Value::List(_)))
            })
        }
        _ => match (refers(a, resources), refers(b, resources)) {
            (true, true) => true,
            (true, false) => b.is_call(),
            (false, true) => a.is_call(),
            (false, false) => true,
        },
    }
}

fn refers<'t>(value: &Value<'t>, resources: &FxHashSet<&'t str>) -> bool {
    match value {
        Value::Call("Ref", name) => name.text().is_some_and(|name| resources.contains(name)),
        Value::Call("Fn::GetAtt", _) => true,
        _ => false,
    }
}

/// Returns the known beginning and end of a string, and whether that is all of it.
fn around(value: &Value<'_>) -> Option<(String, String, bool)> {
    if let Some(text) = value.text() {
        return Some((text.to_owned(), String::new(), true));
    }
    match value {
        Value::Call("Fn::Sub", _) => form(value).map(|(_, prefix, suffix)| (prefix, suffix, false)),
        _ => None,
    }
}

fn overlap(a: &(String, String, bool), b: &(String, String, bool)) -> bool {
    match (a, b) {
        ((a, _, true), (b, _, true)) => a == b,
        ((text, _, true), (prefix, suffix, false)) | ((prefix, suffix, false), (text, _, true)) => {
            text.strip_prefix(prefix.as_str()).is_some_and(|rest| rest.ends_with(suffix.as_str()))
        }
        ((prefix, suffix, false), (other, end, false)) => {
            (prefix.starts_with(other.as_str()) || other.starts_with(prefix.as_str()))
                && (suffix.ends_with(end.as_str()) || end.ends_with(suffix.as_str()))
        }
    }
}
