//! Bodies of loops without items, with the values at hand: each is judged once, with an unknown item
//! (reference/command-line.md#checks). Errors that depend on it are not reported.

use std::collections::HashSet;

use formwork_base::{Diagnostic, IdSet, Severity, Span, SpanSet, codes};
use formwork_loops::UnknownItem;
use formwork_syntax::{Document, Kind, NodeId, Tree};

use super::{Apart, Run};

impl Run<'_> {
    /// Adds the errors in the bodies of loops without items.
    pub(super) fn judge_unknown_items(&mut self, document: Document) {
        self.has_unknown_items = true;
        let Apart { roots, unknown, found } = self.compiled_apart(document, self.diagnostics.copied());
        self.has_unknown_items = false;
        let dependent = dependent(&self.tree, roots, &unknown);
        let bodies: SpanSet = unknown.iter().map(|item| item.body).collect();
        for one in found.iter() {
            let is_judged = match one.name().or_else(|| one.part()) {
                Some(name) => !UnknownItem::is_in(name),
                // An entry without a Type has none, whatever its name is.
                None => one.code == codes::NO_TYPE || !dependent.contains(&one.span()),
            };
            let is_new = one.severity == Severity::Error && !self.diagnostics.is_reported(one.code, one.span());
            if is_new && is_judged && !one.code.info().needs_items && bodies.any_around(one.span()) {
                self.diagnostics.push(with_variables(one.clone(), &unknown, &bodies));
            }
        }
    }
}

/// The places of strings and calls that depend on unknown items.
fn dependent(tree: &Tree, roots: Vec<NodeId>, unknown: &[UnknownItem]) -> HashSet<Span> {
    let items: IdSet<NodeId> = unknown.iter().map(|item| item.node).collect();
    let (mut places, mut seen, mut open) = (HashSet::new(), IdSet::default(), roots);
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        // A call with another argument than a list or an object is what its argument is.
        let part = if tree.kind(node) == Kind::Call { tree.call(node).1 } else { node };
        let mut links = tree.frames().chain(tree.frame_of(part));
        let is_of_item =
            !tree.is_collection(part) && links.any(|(_, link)| link.value.is_some_and(|value| items.contains(&value)));
        if is_of_item {
            places.insert(tree.span(node));
        }
        open.extend(tree.entries(node).map(|entry| entry.key));
        open.extend(tree.children(node));
    }
    places
}

/// Removes the iterations with unknown items from an error, and writes the variables in the place of the items.
fn with_variables(mut found: Diagnostic, unknown: &[UnknownItem], bodies: &SpanSet) -> Diagnostic {
    found.frames.retain(|frame| !unknown.iter().any(|item| item.site == frame.span));
    found.related.retain(|label| bodies.any_around(label.span));
    found.count = 1;
    let labels = found.primary.iter_mut().chain(&mut found.related).map(|label| &mut label.text);
    let texts = labels.chain([&mut found.message]).chain(&mut found.notes).chain(&mut found.help);
    let texts = texts.chain(&mut found.path).chain(&mut found.site).chain(&mut found.subject);
    for text in texts.filter(|text| UnknownItem::is_in(text)) {
        *text = UnknownItem::shown_in(unknown, text);
    }
    found
}
