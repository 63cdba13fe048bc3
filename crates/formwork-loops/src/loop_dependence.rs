//! Marks of nodes that depend on the variables of loops.

use formwork_base::IdSet;
use formwork_syntax::{NodeId, Tree};

use super::parts::Loop;

#[derive(Debug)]
pub(super) struct LoopDependence {
    marks: Vec<u8>,
    without_position: IdSet<NodeId>,
}

/// Something at or below the node depends on a variable, or a loop or merge is there.
const TOUCHED: u8 = 1;
/// Something at or below the node depends on a variable of a loop around the node.
const VARIES: u8 = 4;
/// A plain string that contains items: the path of an artifact, or a name in a reference.
const FILLED: u8 = 2;
/// Not known to be the same in each iteration except for the items in its strings.
const IRREGULAR: u8 = 8;

impl LoopDependence {
    pub(super) fn new(tree: &Tree) -> LoopDependence {
        LoopDependence { marks: vec![0; tree.node_count() + 1], without_position: IdSet::default() }
    }

    pub(super) fn add(&mut self, other: &LoopDependence) {
        self.marks.iter_mut().zip(&other.marks).for_each(|(marks, others)| *marks |= others);
        self.without_position.extend(&other.without_position);
    }

    fn has(&self, node: NodeId, mark: u8) -> bool {
        self.marks.get(node.index()).is_some_and(|marks| marks & mark != 0)
    }

    pub(super) fn is_touched(&self, node: NodeId) -> bool {
        self.has(node, TOUCHED)
    }

    pub(super) fn varies(&self, node: NodeId) -> bool {
        self.has(node, VARIES)
    }

    pub(super) fn is_filled(&self, node: NodeId) -> bool {
        self.has(node, FILLED)
    }

    /// Returns `true` when something in a loop may refer to its variable for the position.
    pub(super) fn has_position(&self, of: &Loop) -> bool {
        !self.without_position.contains(&of.id)
    }

    pub(super) fn leave_out_position(&mut self, of: &Loop) {
        self.without_position.insert(of.id);
    }

    pub(super) fn is_irregular(&self, node: NodeId) -> bool {
        self.has(node, IRREGULAR)
    }

    pub(super) fn note_irregular(&mut self, node: NodeId) {
        self.marks[node.index()] |= IRREGULAR;
    }

    pub(super) fn touch(&mut self, node: NodeId) {
        self.marks[node.index()] |= TOUCHED;
    }

    pub(super) fn vary(&mut self, node: NodeId) {
        self.marks[node.index()] |= VARIES;
    }

    pub(super) fn fill(&mut self, node: NodeId) {
        self.marks[node.index()] |= FILLED;
    }
}
