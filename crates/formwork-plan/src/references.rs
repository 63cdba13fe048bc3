//! References between resources: finding and renaming them.

use formwork_template::value::Value;
use formwork_template::value_uses::{self, By};
use rustc_hash::FxHashMap;

/// New logical IDs by old ones.
pub(crate) type Renames<'t> = FxHashMap<&'t str, &'t str>;

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

/// Calls `found` with each name that a value refers to by `Ref`, `Fn::GetAtt` or `Fn::Sub`, and the attribute of it.
pub(crate) fn each<'t>(value: &Value<'t>, found: &mut dyn FnMut(&'t str, Option<&'t str>)) {
    value_uses::each(value, &mut |one| match one.by {
        By::Ref => found(one.name, None),
        By::GetAtt(attribute) => found(one.name, attribute.and_then(Value::text)),
        By::Sub(attribute) => found(one.name, attribute),
        By::Condition | By::Import => {}
    });
}

pub(crate) fn renamed<'t>(name: &'t str, renames: &Renames<'t>) -> &'t str {
    renames.get(name).copied().unwrap_or(name)
}
