//! Removal of added nodes, for a reader that stops.

use super::{Extent, Tree};

pub(crate) struct Mark {
    extent: Extent,
    symbols: usize,
    key_bytes: u64,
    calls_modules: bool,
}

impl Tree {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            extent: self.extent(),
            symbols: self.symbols.count(),
            key_bytes: self.key_bytes,
            calls_modules: self.calls_modules,
        }
    }

    /// Removes the authored nodes that were added since `mark`. None of them may be an alias, have an anchor or be
    /// measured.
    pub(crate) fn rewind(&mut self, mark: &Mark) {
        let Extent { nodes, links, text, lost, .. } = mark.extent;
        self.nodes.truncate(nodes);
        self.links.truncate(links);
        self.text.truncate(text);
        self.lost.truncate(lost);
        self.symbols.truncate(mark.symbols);
        self.key_flags.truncate(mark.symbols);
        self.key_bytes = mark.key_bytes;
        self.calls_modules = mark.calls_modules;
    }

    /// Returns `true` when both trees have the same content in the same order: nodes with their spans, strings, names,
    /// contexts, anchors and merge keys.
    #[doc(hidden)]
    pub fn is_identical(&self, other: &Tree) -> bool {
        self.nodes == other.nodes
            && self.links == other.links
            && self.text == other.text
            && self.symbols.is_identical(&other.symbols)
            && self.key_bytes == other.key_bytes
            && self.has_generated == other.has_generated
            && self.calls_modules == other.calls_modules
            && self.anchors == other.anchors
            && self.merges == other.merges
            && self.lost == other.lost
            && self.frames.records().eq(other.frames.records())
    }
}
