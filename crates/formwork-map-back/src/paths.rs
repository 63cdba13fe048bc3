//! Paths in an output.

use formwork_base::Span;
use formwork_syntax::tree::View;
use formwork_syntax::{NodeId, Tree};

/// Returns the child for a part of a path, with the span of the key or element.
pub(crate) fn child(tree: &Tree, node: NodeId, word: &str) -> Option<(NodeId, Span)> {
    match tree.view(node) {
        View::Map => {
            let entry = tree.entries(node).find(|entry| tree.text(entry.key) == word)?;
            Some((entry.value, tree.span(entry.key)))
        }
        View::List(items) => {
            let item = *items.get(word.parse::<usize>().ok()?)?;
            Some((item, tree.span(item)))
        }
        View::Call(function, argument) => {
            if tree.function_name(function) == word {
                return Some((argument, tree.span(node)));
            }
            child(tree, argument, word)
        }
        _ => None,
    }
}

/// Returns the child at a position, with its part of the path; a position belongs to the last child that begins in
/// front of it.
pub(crate) fn child_at(tree: &Tree, node: NodeId, at: u32) -> Option<(String, NodeId)> {
    match tree.view(node) {
        View::Map => {
            let before = tree.entries(node).filter(|entry| tree.span(entry.key).start() <= at);
            let entry = before.max_by_key(|entry| tree.span(entry.key).start())?;
            Some((tree.text(entry.key).to_owned(), entry.value))
        }
        View::List(items) => {
            let number = items.iter().rposition(|&item| tree.span(item).start() <= at)?;
            Some((number.to_string(), *items.get(number)?))
        }
        _ => None,
    }
}
