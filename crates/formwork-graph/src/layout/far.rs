//! The far ends of edges that enter and leave a container.

use super::tree::Tree;
use crate::model::Graph;

/// The far ends of edges, and their positions as far as they are known.
pub(super) struct Far<'a> {
    graph: &'a Graph,
    tree: &'a Tree,
    /// The middle of each node in an earlier layout.
    middles: Option<&'a [i64]>,
}

impl<'a> Far<'a> {
    pub(super) fn new(graph: &'a Graph, tree: &'a Tree, middles: Option<&'a [i64]>) -> Far<'a> {
        Far { graph, tree, middles }
    }

    pub(super) fn is_known(&self) -> bool {
        self.middles.is_some()
    }

    /// Returns the node at the upper or the lower end of an edge.
    pub(super) fn node(&self, edge: usize, is_upper: bool) -> usize {
        let is_flipped = self.tree.ways[edge].as_ref().is_some_and(|way| way.is_flipped);
        let edge = &self.graph.edges[edge];
        if is_upper == is_flipped { edge.to } else { edge.from }
    }

    /// Removes duplicate nodes; sorts them from left to right if positions are known.
    pub(super) fn ordered(&self, mut nodes: Vec<usize>) -> Vec<usize> {
        let mut known = rustc_hash::FxHashSet::default();
        nodes.retain(|node| known.insert(*node));
        if let Some(middles) = self.middles {
            nodes.sort_by_key(|&node| (middles[node], node));
        }
        nodes
    }
}
