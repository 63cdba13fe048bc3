//! The origins of the places of an output.

use formwork_base::Span;
use formwork_syntax::write::{Part, Recorder};
use formwork_syntax::{FrameId, NodeId, Tree};

/// A place of an output and its origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenPlace {
    /// The line, from 0.
    pub line: u32,
    /// The column in Unicode scalar values, from 0.
    pub column: u32,
    /// The authored place.
    pub span: Span,
}

/// Records the places of an output while it is written.
pub(crate) struct WrittenPlaces<'t> {
    tree: &'t Tree,
    places: Vec<WrittenPlace>,
}

impl<'t> WrittenPlaces<'t> {
    pub(crate) fn new(tree: &'t Tree) -> WrittenPlaces<'t> {
        WrittenPlaces { tree, places: Vec::new() }
    }

    pub(crate) fn into_vec(self) -> Vec<WrittenPlace> {
        self.places
    }
}

impl Recorder for WrittenPlaces<'_> {
    const ON: bool = true;

    fn join(&mut self, _: FrameId, own: FrameId) -> FrameId {
        own
    }

    fn record(&mut self, line: u32, column: u32, node: NodeId, _: Part, _: FrameId) {
        let span = self.tree.span(node);
        if !span.is_none() {
            self.places.push(WrittenPlace { line, column, span });
        }
    }

    fn end(&mut self, _: u32, _: NodeId) {}
}
