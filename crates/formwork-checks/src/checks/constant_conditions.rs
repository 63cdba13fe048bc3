//! Conditions that are always true or always false, and resources that never exist because of them
//! (reference/conditions.md#constant).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes};
use formwork_syntax::{Kind, NodeId, NodeSet, function, symbol};
use rustc_hash::FxHashMap;

use super::conditions::Outcomes;
use crate::Context;

/// Limits of resources that a title lists, and of the characters of their names.
const MOST_NAMES: (usize, usize) = (3, 40);

/// Reports each condition once: at the resources that never exist because of it, or else at itself.
pub(super) fn check(cx: &mut Context<'_>) {
    let constant = cx.severity_of_code(codes::CONSTANT_CONDITION);
    let impossible = cx.severity_of_code(codes::IMPOSSIBLE_RESOURCE);
    if constant.or(impossible).is_none() {
        return;
    }
    let section = cx.tree.get(cx.document.root, symbol::CONDITIONS);
    let Some(section) = section.filter(|&node| cx.tree.kind(node) == Kind::Map) else { return };
    let misquoted = cx.diagnostics.places_of(codes::MISQUOTED);
    let outcomes = Outcomes::new(cx.tree, section, cx.template);
    let mut resources = None;
    for condition in cx.tree.entries(section).collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        let name = cx.tree.text(condition.key);
        if function::loop_name(name).is_some() || name.starts_with("Fn::") {
            continue;
        }
        // Without the reported quotes it compares another value.
        if misquoted.any_inside(cx.tree.span(condition.value)) {
            continue;
        }
        let Some(outcome) = outcomes.constant(name) else { continue };
        let resources = resources.get_or_insert_with(|| by_condition(cx));
        let never = resources.get(name).filter(|_| !outcome.is_true);
        let (diagnostic, severity) = match (never, impossible, constant) {
            (Some(never), Some(severity), _) => (of_resources(cx, name, never), severity),
            (_, _, Some(severity)) => (
                Diagnostic::new(
                    codes::CONSTANT_CONDITION,
                    format!("condition {} is always {}", shown(name), outcome.is_true),
                )
                .help("correct what it compares, or remove the condition"),
                severity,
            ),
            _ => continue,
        };
        let mut diagnostic = diagnostic.at(cx.tree.span(condition.key));
        if !outcome.is_true {
            diagnostic = diagnostic.fact(Fact::NeverTrue);
        }
        for (parameter, values) in outcome.allowed {
            let values: Vec<String> = values.iter().take(5).map(|value| format!("\"{}\"", shown(value))).collect();
            diagnostic =
                diagnostic.note(format!("the AllowedValues of {} are {}", shown(&parameter), values.join(", ")));
        }
        cx.push(diagnostic, severity);
    }
}

/// Returns the resources of each condition, in the order of the template, with the place of its name.
fn by_condition<'t>(cx: &Context<'t>) -> FxHashMap<&'t str, Vec<(NodeId, NodeId)>> {
    let mut found: FxHashMap<&str, Vec<(NodeId, NodeId)>> = FxHashMap::default();
    let section = cx.tree.get(cx.unrolled, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map);
    for resource in section.into_iter().flat_map(|section| cx.tree.entries(section)) {
        let Some(condition) = cx.tree.get(resource.value, symbol::CONDITION) else { continue };
        if let Some(name) = cx.tree.string(condition) {
            found.entry(name).or_default().push((resource.key, condition));
        }
    }
    found
}

/// Builds the diagnostic of a condition that is always false, at its resources.
fn of_resources(cx: &Context<'_>, name: &str, resources: &[(NodeId, NodeId)]) -> Diagnostic {
    let name = shown(name);
    let ids: Vec<_> = resources.iter().map(|&(key, _)| shown(cx.tree.text(key))).collect();
    let names = ids.join(", ");
    let (most, longest) = MOST_NAMES;
    let what = match ids.len() {
        1 => format!("resource {names}"),
        count if count > most || names.chars().count() > longest => format!("{count} resources"),
        _ => format!("resources {names}"),
    };
    let title = format!("{what} can never exist: condition {name} is always false");
    let mut diagnostic =
        Diagnostic::new(codes::IMPOSSIBLE_RESOURCE, title).help("correct the condition, or remove what has it");
    let mut places = NodeSet::default();
    for &(key, condition) in resources.iter().filter(|&&(_, condition)| places.insert(condition)).take(most) {
        diagnostic = diagnostic.related(cx.tree.span(condition), format!("resource {}", shown(cx.tree.text(key))));
    }
    diagnostic
}
