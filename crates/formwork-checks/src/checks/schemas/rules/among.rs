//! Values that name other ones of the same object.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::{NodeId, Tree, View};

use super::super::scalar::is_placeholder;
use super::super::walk::{At, Walk};
use super::super::words;
use super::super::words::quoted;

/// Reports the values at `from` that are not at one of the paths `to`. Nothing is reported where one of them is not known.
pub(super) fn judge(walk: &mut Walk<'_>, from: &[Vec<String>], to: &[Vec<String>], at: At) {
    let tree = walk.tree;
    let known: Option<Vec<NodeId>> =
        to.iter().map(|path| values(tree, at.node, path)).collect::<Option<Vec<_>>>().map(|all| all.concat());
    let Some(known) = known.filter(|known| known.iter().all(|&node| is_literal(tree, node))) else { return };
    let texts: Vec<&str> = known.iter().map(|&node| tree.text_form(node)).collect();
    for path in from {
        for node in values(tree, at.node, path).unwrap_or_default() {
            if is_literal(tree, node) && !texts.contains(&tree.text_form(node)) {
                report(walk, node, &texts);
            }
        }
    }
}

/// Returns the values at a path; `None` if a call or a macro decides them.
fn values(tree: &Tree, node: NodeId, path: &[String]) -> Option<Vec<NodeId>> {
    let Some((name, rest)) = path.split_first() else { return Some(vec![node]) };
    match tree.view(node) {
        View::List(items) if name == "*" => {
            let below = items.iter().map(|&item| values(tree, item, rest)).collect::<Option<Vec<_>>>()?;
            Some(below.concat())
        }
        View::Map if tree.entries(node).any(|entry| tree.text(entry.key).starts_with("Fn::")) => None,
        View::Map => tree.get_text(node, name).map_or(Some(Vec::new()), |value| values(tree, value, rest)),
        _ => None,
    }
}

fn is_literal(tree: &Tree, node: NodeId) -> bool {
    tree.is_scalar(node) && !is_placeholder(tree.text_form(node))
}

fn report(walk: &mut Walk<'_>, node: NodeId, known: &[&str]) {
    let Some(severity) = walk.severity_of(codes::COMBINATION) else { return };
    let text = walk.tree.text_form(node);
    let subject = words::subject(&walk.path, walk.tree.text(walk.id));
    let help = match slip(text, known.iter().copied()) {
        Some(near) => format!("write {near}"),
        None => format!("write one of {}", words::some(known)),
    };
    let diagnostic = Diagnostic::titled(
        codes::COMBINATION,
        format!("{subject} does not have {}, which is named here", quoted(text)),
    )
    .at(walk.tree.span(node))
    .help(help);
    walk.push(diagnostic, severity, &shown(text));
}
