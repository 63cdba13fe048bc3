//! Nodes that the copies of a loop's body share: they are visited once, and count as often as they occur
//! (reference/diagnostics.md#wording).

use formwork_base::IdMap;
use formwork_syntax::{NodeId, NodeSet, Tree};

#[derive(Default)]
pub(super) struct Repeats {
    done: NodeSet,
    /// Numbers of repeated visits.
    again: IdMap<NodeId, u32>,
}

impl Repeats {
    /// Returns `true` if a node is entered: nodes that several copies share are entered once.
    pub(super) fn enter(&mut self, tree: &Tree, node: NodeId) -> bool {
        if !tree.may_share() || tree.is_generated(node) || self.done.insert(node) {
            return true;
        }
        *self.again.entry(node).or_default() += 1;
        false
    }

    /// Returns the number of occurrences of each of these nodes.
    pub(super) fn counts(&self, tree: &Tree, found: impl IntoIterator<Item = NodeId>) -> IdMap<NodeId, u32> {
        let mut counts: IdMap<NodeId, u32> = found.into_iter().map(|node| (node, 1)).collect();
        if counts.is_empty() {
            return counts;
        }
        let mut repeated: Vec<(NodeId, u32)> = self.again.iter().map(|(&top, &again)| (top, again)).collect();
        repeated.sort_unstable();
        for (top, again) in repeated {
            let mut pending = vec![top];
            while let Some(node) = pending.pop() {
                if let Some(count) = counts.get_mut(&node) {
                    *count = count.saturating_add(again);
                }
                pending.extend(tree.child_nodes(node));
            }
        }
        counts
    }
}
