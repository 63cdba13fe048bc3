//! Conditions that are always true or always false, and resources that never exist because of them
//! (reference/conditions.md#constant).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, function, symbol};
use rustc_hash::FxHashSet;

use super::conditions::Outcomes;
use crate::Context;

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::CONSTANT_CONDITION) else { return };
    let section = cx.tree.get(cx.document.root, symbol::CONDITIONS);
    let Some(section) = section.filter(|&node| cx.tree.kind(node) == Kind::Map) else { return };
    let outcomes = Outcomes::new(cx.tree, section, cx.template);
    let mut never: FxHashSet<String> = FxHashSet::default();
    for condition in cx.tree.entries(section).collect::<Vec<_>>() {
        if cx.is_cancelled() {
            return;
        }
        let name = cx.tree.text(condition.key);
        if function::loop_name(name).is_some() || name.starts_with("Fn::") {
            continue;
        }
        let Some(outcome) = outcomes.constant(name) else { continue };
        if !outcome.is_true {
            never.insert(name.to_owned());
        }
        let mut diagnostic = Diagnostic::new(
            codes::CONSTANT_CONDITION,
            format!("condition {} is always {}", shown(name), outcome.is_true),
        )
        .at(cx.tree.span(condition.key));
        for (parameter, values) in outcome.allowed {
            let values: Vec<String> = values.iter().take(5).map(|value| format!("\"{}\"", shown(value))).collect();
            diagnostic =
                diagnostic.note(format!("the AllowedValues of {} are {}", shown(&parameter), values.join(", ")));
        }
        cx.push(diagnostic.help("correct what it compares, or remove the condition"), severity);
    }
    if !never.is_empty() {
        impossible_resources(cx, &never);
    }
}

fn impossible_resources(cx: &mut Context<'_>, never: &FxHashSet<String>) {
    let Some(severity) = cx.severity_of_code(codes::IMPOSSIBLE_RESOURCE) else { return };
    let section = cx.tree.get(cx.unrolled, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map);
    for resource in section.map(|section| cx.tree.entries(section).collect::<Vec<_>>()).unwrap_or_default() {
        if cx.is_cancelled() {
            return;
        }
        let Some(condition) = cx.tree.get(resource.value, symbol::CONDITION) else { continue };
        let Some(name) = cx.tree.string(condition).filter(|name| never.contains(*name)) else { continue };
        let (id, name) = (shown(cx.tree.text(resource.key)), shown(name));
        let diagnostic = Diagnostic::new(
            codes::IMPOSSIBLE_RESOURCE,
            format!("resource {id} can never exist: condition {name} is always false"),
        )
        .at(cx.tree.span(condition))
        .frames(cx.tree.frame_chain(cx.tree.frame_of(resource.key)))
        .help("correct the condition, or remove the resource");
        cx.push(diagnostic, severity);
    }
}
