//! What the copies of a loop's body share: it is looked at a single time, and counts as often as it occurs
//! (reference/diagnostics.md#wording).

use formwork_base::IdMap;
use formwork_syntax::{NodeId, NodeSet, Tree};

/// The authored subtrees that a check looked at.
#[derive(Default)]
pub(super) struct Repeats {
    done: NodeSet,
    /// How often they occurred again.
    again: IdMap<NodeId, u32>,
}

impl Repeats {
    /// Whether a node is looked into: what several copies share is once.
    pub(super) fn enter(&mut self, tree: &Tree, node: NodeId) -> bool {
        if !tree.may_share() || tree.is_generated(node) || self.done.insert(node) {
            return true;
        }
        *self.again.entry(node).or_default() += 1;
        false
    }

    /// How often each of these nodes occurs, by the node.
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
