//! Misspelt keys in the values of `Globals` (reference/schemas.md#serverless). Missing keys may be in the resources,
//! and so may other values: only names are checked, and a runtime that has ended.

use formwork_schemas::Schemas;
use formwork_syntax::{Kind, symbol};

use super::step::Step;
use super::walk::{At, Walk};
use crate::Context;

/// Checks the names below the properties that `Globals` has for each kind of resource.
pub(super) fn check<'w>(walk: &mut Walk<'w>, cx: &Context<'w>, schemas: &'w Schemas) {
    let tree = cx.tree;
    let globals = tree.get(cx.unrolled, symbol::GLOBALS).filter(|&globals| tree.kind(globals) == Kind::Map);
    let Some(globals) = globals.filter(|_| cx.template.is_serverless()) else { return };
    walk.is_global = true;
    for kind in tree.entries(globals) {
        let name = format!("AWS::Serverless::{}", tree.text(kind.key));
        let Some(known) = schemas.resource_type(&name) else { continue };
        walk.begin(kind.key, known);
        for entry in tree.entries(kind.value) {
            let name = tree.text(entry.key);
            let Some(property) = known.properties().property(name) else { continue };
            walk.path.push(Step::Key(name));
            walk.runtime(entry);
            walk.slips(property.node, At { node: entry.value, key: Some(entry.key) });
            walk.path.pop();
        }
    }
    walk.is_global = false;
}
