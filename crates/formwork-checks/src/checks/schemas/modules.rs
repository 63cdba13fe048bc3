//! Misspelt keys in the properties of modules as they are written (reference/modules/README.md#alone): parts that an
//! import leaves out are in no result. Only names are checked, as the rest may depend on arguments.

use formwork_base::{Diagnostic, Goal, Severity};
use formwork_schemas::Schemas;
use formwork_syntax::symbol;

use super::walk::{At, Walk};
use crate::Context;
use crate::checks::misspelt_calls::members;

pub(super) fn check<'w>(walk: &mut Walk<'w>, cx: &Context<'w>, schemas: &'w Schemas) {
    if cx.goal != Goal::Check {
        return;
    }
    let tree = cx.tree;
    for (root, frame) in cx.modules() {
        let section = tree.get(root, symbol::RESOURCES);
        for entry in section.into_iter().flat_map(|section| members(tree, section)) {
            let kind = tree.get(entry.value, symbol::TYPE).and_then(|kind| tree.string(kind));
            let known = kind.and_then(|kind| schemas.resource_type(kind));
            let properties = tree.member(entry.value, symbol::PROPERTIES);
            let (Some(known), Some(properties)) = (known, properties) else { continue };
            if tree.get(entry.value, symbol::FN_TRANSFORM).is_none() {
                walk.begin_in(entry.key, known, frame);
                walk.slips(known.properties(), At { node: properties.value, key: Some(properties.key) });
            }
        }
    }
}

/// Checks the names where the modules cannot all be inlined.
pub(super) fn alone(cx: &Context<'_>, schemas: &Schemas) -> Vec<(Diagnostic, Severity)> {
    let mut walk = Walk::new(cx, schemas);
    check(&mut walk, cx, schemas);
    walk.finish()
}
