//! Unknown tags: nothing is known of a value with such a tag, so only the tag is reported. The rest of the template is
//! checked as usual (reference/reading.md#tags).

use formwork_base::{IdMap, IdSet, Severity, Span, codes};
use formwork_syntax::{FrameId, Function, NodeId, Origin, Style};

use super::Run;

/// The depth of the sections: without them it is not known what the template declares.
const STRUCTURE: usize = 1;

impl Run<'_> {
    /// Wraps each value under an unknown tag into a call of an unknown function. `None` when the text has other errors,
    /// too, or when such a tag is on a key, a section or the template itself.
    pub(super) fn with_poison(&mut self, root: NodeId) -> Option<NodeId> {
        let tags = self.tags();
        if tags.len() != self.diagnostics.error_count() {
            return None;
        }
        self.with_poisoned(root, tags)
    }

    /// Wraps each value under one of these tags into a call of an unknown function. `None` when not all of them are on
    /// values.
    pub(super) fn with_poisoned(&mut self, root: NodeId, tags: Vec<Span>) -> Option<NodeId> {
        let left = tags.into_iter().map(|tag| (tag.start(), tag)).collect();
        let mut tags = Tags { left, done: IdMap::default() };
        let root = self.poison(root, 0, &mut tags);
        tags.left.is_empty().then_some(root)
    }

    pub(super) fn tags(&self) -> Vec<Span> {
        let errors = self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        errors.filter(|error| error.code == codes::UNKNOWN_TAG).map(formwork_base::Diagnostic::span).collect()
    }

    /// Leaves out diagnostics about the values under unknown tags as such.
    pub(super) fn leave_out_poison(&mut self) {
        let starts: IdSet<u32> = self.tags().iter().map(|tag| tag.start()).collect();
        self.diagnostics.retain(|found| found.code == codes::UNKNOWN_TAG || !starts.contains(&found.span().start()));
    }

    fn poison(&mut self, node: NodeId, depth: usize, tags: &mut Tags) -> NodeId {
        if let Some(&done) = tags.done.get(&node) {
            return done;
        }
        let children: Vec<NodeId> =
            self.tree.children(node).into_iter().map(|child| self.poison(child, depth + 1, tags)).collect();
        let mut new = self.tree.with_children(node, &children, FrameId::NONE);
        let span = self.tree.span(node);
        if depth > STRUCTURE
            && let Some(tag) = tags.left.remove(&span.start())
        {
            let name = self.sources.slice(tag).to_owned();
            let name = self.tree.key(&name, Style::Tag, Origin::Authored(tag));
            let function = Function::Other(self.tree.symbol(name));
            new = self.tree.add_call(function, name, new, Style::Tag, Origin::Authored(span));
        }
        tags.done.insert(node, new);
        new
    }
}

struct Tags {
    /// Tags whose values were not visited yet, by position.
    left: IdMap<u32, Span>,
    /// The replaced nodes with their replacements.
    done: IdMap<NodeId, NodeId>,
}
