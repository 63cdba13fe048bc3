//! Nodes that replace a call.

use formwork_base::FrameKind;
use formwork_syntax::{FrameRecord, Kind, NodeId, Origin, Symbol};

use super::Evaluator;
use crate::outcome::Outcome;

impl Evaluator<'_> {
    /// Returns a call that stays, with another argument.
    pub(crate) fn kept(&mut self, call: NodeId, argument: NodeId) -> NodeId {
        if self.tree.call(call).1 == argument {
            return call;
        }
        let frame = self.tree.frame_of(call);
        self.tree.call_like(call, argument, frame)
    }

    pub(crate) fn text_in_place(&mut self, text: &str, call: NodeId) -> Outcome {
        if !self.charge(text.len() as u64, call) {
            return Outcome::Poison;
        }
        let origin = Origin::Generated(call, self.tree.frame_of(call));
        Outcome::Known(self.tree.computed(text, origin))
    }

    /// Replaces a reference by the value of a parameter. Elements of a list keep their own place, behind a frame that
    /// names the parameter (reference/provenance.md#frames).
    pub(crate) fn argument_in_place(&mut self, name: Symbol, value: NodeId, call: NodeId) -> NodeId {
        let outer = self.tree.frame_of(call);
        if !matches!(self.tree.kind(value), Kind::List | Kind::Map) {
            return self.tree.stand_in(value, call, outer);
        }
        let (site, item) = (self.tree.span(call), self.tree.span(value));
        let record = FrameRecord::new(outer, FrameKind::Argument, site, name);
        let frame = self.tree.frames_mut().push(FrameRecord { item, ..record });
        self.tree.stand_in(value, call, frame)
    }

    pub(crate) fn value_in_place(&mut self, value: NodeId, call: NodeId) -> NodeId {
        let frame = self.tree.frame_of(call);
        self.tree.stand_in(value, call, frame)
    }
}
