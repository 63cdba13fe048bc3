//! Paths of diagnostics in the files of their authors (reference/diagnostics.md#fingerprints).

use std::collections::HashSet;
use std::fmt::Write;

use formwork_base::{Diagnostic, Span};
use formwork_syntax::{NodeId, Tree, View};

/// Adds to each diagnostic the path of its place. `roots` are the roots of the files as written. A path ends at a
/// secret, whose keys are part of it.
pub(super) fn note<'d>(
    tree: &Tree,
    roots: &[NodeId],
    secrets: &[Span],
    diagnostics: impl Iterator<Item = &'d mut Diagnostic>,
) {
    let secrets: HashSet<Span> = secrets.iter().copied().collect();
    for diagnostic in diagnostics {
        let at = diagnostic.span();
        if !at.is_none() {
            let root = roots.iter().find(|&&root| tree.span(root).contains(at.at_start()));
            diagnostic.site = root.map(|&root| path_to(tree, root, &secrets, at.start()));
        }
    }
}

/// The keys and indexes that lead from a root to the innermost node around a position.
fn path_to(tree: &Tree, root: NodeId, secrets: &HashSet<Span>, position: u32) -> String {
    let mut path = String::new();
    let mut node = root;
    loop {
        let begins = |span: Span| span.start() <= position;
        node = match tree.view(node) {
            View::Map => {
                // Entries are in the order of the file.
                let (mut low, mut high) = (0, tree.len(node));
                while low < high {
                    let middle = low + (high - low) / 2;
                    if begins(tree.span(tree.entry(node, middle).key)) { low = middle + 1 } else { high = middle }
                }
                let Some(at) = low.checked_sub(1) else { return path };
                let entry = tree.entry(node, at);
                let _ = write!(path, ".{}", tree.text(entry.key));
                entry.value
            }
            View::List(items) => {
                let Some(at) = items.partition_point(|&item| begins(tree.site(item))).checked_sub(1) else {
                    return path;
                };
                let _ = write!(path, ".{at}");
                items[at]
            }
            View::Call(_, argument) if tree.is_collection(argument) => argument,
            _ => return path,
        };
        if tree.is_alias(node) || secrets.contains(&tree.span(node)) {
            return path;
        }
    }
}
