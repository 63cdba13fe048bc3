//! Properties of resources against the schemas of their types (reference/schemas.md).
//!
//! [`walk`] goes through the values; [`object`], [`list`], [`scalar`] and [`calls`] check the values they meet;
//! [`combinations`] checks properties that belong together. [`types`] checks the types themselves, [`attributes`]
//! `Fn::GetAtt`. Unknown types and properties without facts are not reported.

mod attributes;
mod between;
mod calls;
mod combinations;
mod dynamodb;
mod event_sources;
mod formats;
mod generated;
mod globals;
mod kind;
mod list;
mod modules;
mod object;
mod output_values;
mod parameter_values;
mod partial;
mod policies;
mod presence;
mod rules;
mod runtime;
mod scalar;
mod service_token;
mod slips;
mod step;
mod tags;
mod types;
mod units;
mod value;
mod walk;
mod words;
mod zip_package;

use formwork_base::{Diagnostic, Severity, Span, codes};
use formwork_schemas::Schemas;
use formwork_syntax::{Entry, NodeId, symbol};
use rustc_hash::FxHashMap;

use crate::Context;
use walk::Walk;

/// Checks the resources of a template. `cx.unrolled` is the template with its loops expanded and its modules inlined,
/// `cx.result` that template as far as the passed values decide it. `region` is the Region that was passed.
pub(super) fn check(cx: &mut Context<'_>, schemas: &Schemas, region: Option<&str>) {
    if codes::UNKNOWN_PROPERTY.info().severities.at(cx.goal).is_none() {
        return;
    }
    let mut found: Vec<(Diagnostic, Severity)> = Vec::new();
    if let Some(unknown) = types::macro_of(cx) {
        found.extend(types::macro_note(cx, unknown));
    } else {
        let tree = cx.tree;
        let decided: FxHashMap<_, _> = tree
            .get(cx.result, symbol::RESOURCES)
            .into_iter()
            .flat_map(|section| tree.entries(section))
            .map(|entry| (tree.symbol(entry.key), entry.value))
            .collect();
        let members: Vec<Entry> = cx.unrolled_resources().collect();
        let mut types = types::Types::new(cx, schemas, region);
        let mut walk = Walk::new(cx, schemas).in_region(region);
        let errors = cx.diagnostics.iter().filter(|one| one.code == codes::FUNCTION_NOT_ALLOWED);
        walk.misspelt = errors.map(Diagnostic::span).collect();
        for member in members {
            if cx.is_cancelled() {
                return;
            }
            let is_generator = tree.loop_name(member.key).is_some() || tree.text(member.key).starts_with("Fn::");
            // A resource that only conditions remove is checked as it is without them.
            let resource = decided.get(&tree.symbol(member.key)).copied().unwrap_or(member.value);
            if is_generator || tree.get(resource, symbol::FN_TRANSFORM).is_some() {
                continue;
            }
            let Some(kind) = type_of(cx, resource) else { continue };
            found.extend(service_token::check(cx, member.key, resource));
            if let Some(known) = types.look_up(member.key, kind) {
                walk.resource(member.key, resource, known);
            }
        }
        globals::check(&mut walk, cx, schemas);
        modules::check(&mut walk, cx, schemas);
        found.extend(types.finish());
        found.extend(walk.finish());
        attributes::check(cx, schemas, &decided, &mut found);
        output_values::check(cx, schemas, &mut found);
    }
    // A string with a placeholder that is kept is not the value that is meant.
    let is_cause = |one: &&Diagnostic| one.severity == Severity::Error || one.code == codes::FORGOTTEN_SUB;
    let errors = cx.diagnostics.iter().filter(is_cause).map(Diagnostic::span);
    let mut errors: Vec<Span> = errors.filter(|span| !span.is_none()).collect();
    errors.sort_by_key(|span| (span.start(), span.end()));
    for (diagnostic, severity) in found {
        if !is_consequence(&diagnostic, &errors) {
            cx.push(diagnostic, severity);
        }
    }
}

/// Checks names in modules as they are written, where the modules cannot all be inlined.
pub(super) fn of_modules(cx: &mut Context<'_>, schemas: &Schemas) {
    if types::macro_of(cx).is_none() {
        for (diagnostic, severity) in modules::alone(cx, schemas) {
            cx.push(diagnostic, severity);
        }
    }
}

/// Returns `true` if a value contains an earlier error, so that its result is not checked. The errors are in the order
/// of their places.
fn is_consequence(found: &Diagnostic, errors: &[Span]) -> bool {
    let is_about_value = [
        codes::KIND_OF_PROPERTY,
        codes::VALUE_NOT_ALLOWED,
        codes::PATTERN_OF_PROPERTY,
        codes::BOUND_OF_PROPERTY,
        codes::NO_SUCH_ATTRIBUTE,
    ]
    .contains(&found.code);
    let place = found.span();
    let first = errors.partition_point(|span| span.start() < place.start());
    is_about_value && errors.get(first).is_some_and(|span| span.end() <= place.end())
}

fn type_of(cx: &Context<'_>, resource: NodeId) -> Option<NodeId> {
    let kind = cx.tree.get(resource, symbol::TYPE)?;
    cx.tree.string(kind).map(|_| kind)
}
