//! Functions that the Rules section does not take (reference/rules.md#unsupported).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::{Known, loop_name};
use formwork_syntax::{Function, NodeId, Tree, View};

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

pub(crate) fn is_unsupported(tree: &Tree, node: NodeId) -> bool {
    match tree.view(node) {
        View::Call(Function::Known(known), _) => !ALLOWED.contains(&known),
        View::Call(..) => true,
        // A condition by its long name is read as data.
        View::Map => tree.len(node) == 1 && tree.text(tree.entry(node, 0).key) == "Condition",
        _ => false,
    }
}

/// Builds one diagnostic of the functions that `section` does not take, and returns `true` if one of them is known only
/// to this engine, so that it cannot be left in an output.
pub fn find(tree: &Tree, section: NodeId) -> Option<(Diagnostic, bool)> {
    let mut found: Vec<(String, NodeId)> = Vec::new();
    let mut pending = vec![section];
    while let Some(node) = pending.pop() {
        match tree.view(node) {
            View::List(items) => pending.extend(items.iter().rev()),
            View::Map => {
                for entry in tree.entries(node).rev() {
                    pending.push(entry.value);
                    if loop_name(tree.text(entry.key)).is_some() {
                        found.push(("Fn::ForEach".into(), entry.key));
                    }
                }
                if is_unsupported(tree, node) {
                    found.push(("Condition".into(), node));
                }
            }
            View::Call(function, argument) => {
                if is_unsupported(tree, node) {
                    found.push((tree.function_name(function).to_owned(), node));
                }
                pending.push(argument);
            }
            _ => {}
        }
    }
    let first = found.first()?.1;
    let mut names: Vec<String> = found.iter().map(|(name, _)| shown(name)).collect();
    names.sort();
    names.dedup();
    let names = names.join(", ");
    let sentence = format!(
        "Template format error: Following functions are not supported in the Rules block of the template: [{names}]"
    );
    let mut diagnostic =
        Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("{names} cannot be used in Rules: `{sentence}`"))
            .at(tree.span(first))
            .help("Rules support And, Or, Not, Equals, Contains, EachMemberEquals, EachMemberIn, RefAll, ValueOf, ValueOfAll and Ref to parameters");
    for (name, node) in &found[1..] {
        diagnostic = diagnostic.related(tree.span(*node), shown(name));
    }
    let is_ours = found.iter().any(|(name, _)| Known::from_long(name).is_some_and(Known::is_local));
    Some((diagnostic, is_ours))
}
