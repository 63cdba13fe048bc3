//! Loops over parameters whose items are fixed by what was packaged
//! (reference/packaging.md#fixed-items).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::Tree;
use formwork_syntax::function::Known;

use crate::lookup::Lookup;
use crate::plan::OpenParameters;

/// Reports keys that are fixed now while the parameter may have other items at deployment.
pub(crate) fn report(tree: &Tree, open: &OpenParameters, lookups: &[Lookup<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let mut reported: Vec<(Vec<formwork_base::Span>, usize, Vec<String>)> = Vec::new();
    let mut places: Vec<&Lookup<'_>> = Vec::new();
    for lookup in lookups {
        let loops = &lookup.slot.found.loops;
        let path: Vec<_> = loops.iter().map(|around| around.site).collect();
        for &at in &lookup.variables {
            let is_parameter = loops[at].collection.and_then(|node| tree.argument_of(node, Known::Ref));
            if !is_parameter.and_then(|name| tree.string(name)).is_some_and(|name| open.contains(name)) {
                continue;
            }
            let property = lookup.slot.found.property(tree);
            match reported.iter_mut().find(|(known, number, _)| *known == path && *number == at) {
                Some((.., properties)) if properties.contains(&property) => {}
                Some((.., properties)) => properties.push(property),
                None => {
                    reported.push((path.clone(), at, vec![property]));
                    places.push(lookup);
                }
            }
        }
    }
    for ((_, at, properties), lookup) in reported.into_iter().zip(places) {
        let around = &lookup.slot.found.loops[at];
        let name = around.collection.and_then(|node| tree.argument_of(node, Known::Ref)).map(|name| tree.text(name));
        let parameter = shown(name.unwrap_or_default());
        let message = format!(
            "Fn::ForEach '{}' uses dynamic {} with a parameter-based collection (!Ref {parameter})",
            shown(&around.name),
            properties.join(", ")
        );
        diagnostics.push(
            Diagnostic::new(codes::FIXED_COLLECTION, message)
                .severity(Severity::Warning)
                .at(tree.span(around.collection.unwrap_or(lookup.slot.found.resource)))
                .related(around.site, "the loop")
                .note("Collection values are fixed at package time. If you change the parameter value at deploy time, you must re-package first.")
                .help(format!("deploy with the same value of {parameter}, or package again")),
        );
    }
}
