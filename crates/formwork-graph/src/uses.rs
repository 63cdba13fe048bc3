//! Finds the names that a value uses.

use formwork_template::value::Value;
use formwork_template::value_uses::{self, By};

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
    let line = |value: &Value<'_>| value.text().map_or_else(|| value.to_line().into_owned(), str::to_owned);
    value_uses::each(value, &mut |one| {
        let kind = match one.by {
            By::Condition => EdgeKind::Condition,
            By::Import => EdgeKind::Import,
            _ if around.is_passed => EdgeKind::Nested,
            By::Ref => EdgeKind::Ref,
            By::GetAtt(attribute) => EdgeKind::GetAtt(attribute.map(line).unwrap_or_default()),
            By::Sub(_) => EdgeKind::Sub,
        };
        found(Use { name: one.name, kind, is_certain: around.is_certain && !one.in_branch });
    });
}
