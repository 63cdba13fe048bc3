//! Functions that the Rules section does not take (spec rules.md, section 2).

use formwork_base::{Diagnostic, Severity, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View};
use formwork_template::Section;

use crate::Context;

const ALLOWED: [Known; 11] = [
    Known::And,
    Known::Or,
    Known::Not,
    Known::Equals,
    Known::Contains,
    Known::EachMemberEquals,
    Known::EachMemberIn,
    Known::RefAll,
    Known::ValueOf,
    Known::ValueOfAll,
    Known::Ref,
];

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.template.section(cx.tree, Section::Rules) else { return };
    let mut found: Vec<(String, NodeId)> = Vec::new();
    let mut pending = vec![section];
    while let Some(node) = pending.pop() {
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items.iter().rev()),
            View::Map => {
                for entry in cx.tree.entries(node).rev() {
                    pending.push(entry.value);
                }
                // A condition by its long name is read as data.
                if cx.tree.len(node) == 1 && cx.tree.text(cx.tree.entry(node, 0).key) == "Condition" {
                    found.push(("Condition".into(), node));
                }
            }
            View::Call(function, argument) => {
                let allowed = matches!(function, Function::Known(known) if ALLOWED.contains(&known));
                if !allowed {
                    found.push((cx.tree.function_name(function).to_owned(), node));
                }
                pending.push(argument);
            }
            _ => {}
        }
    }
    if found.is_empty() {
        return;
    }
    let mut names: Vec<String> = found.iter().map(|(name, _)| shown(name)).collect();
    names.sort();
    names.dedup();
    let sentence = format!(
        "Template format error: Following functions are not supported in the Rules block of the template: [{}]",
        names.join(", ")
    );
    let mut diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("{} cannot be used in Rules: `{sentence}`", names.join(", ")))
        .at(cx.tree.span(found[0].1))
        .help("Rules take And, Or, Not, Equals, Contains, EachMemberEquals, EachMemberIn, RefAll, ValueOf, ValueOfAll and Ref to parameters");
    for (name, node) in &found[1..] {
        diagnostic = diagnostic.related(cx.tree.span(*node), shown(name));
    }
    debug_assert_eq!(cx.tree.kind(section), Kind::Map);
    // What only this engine knows cannot be left in an output.
    let is_ours = |(name, _): &(String, NodeId)| Known::from_long(name).is_some_and(Known::is_local);
    let severity = if found.iter().any(is_ours) { Severity::Error } else { cx.command.severity() };
    cx.push(diagnostic, severity);
}
