//! Picks the part of a graph to draw.

use formwork_base::matches_wildcard;

use crate::cycles::targets;
use crate::model::{Edge, Graph, Node, NodeKind};

/// The direction in which edges are followed from a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// To its users.
    In,
    /// To the nodes that it uses.
    Out,
    /// Both directions, each by itself.
    Both,
}

/// The part of a graph to draw; everything by default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// IDs of the nodes around which the graph is drawn.
    pub focus: Vec<String>,
    /// Maximum number of edges that are followed; `None` for all.
    pub depth: Option<usize>,
    /// The direction in which edges are followed.
    pub direction: Option<Direction>,
    /// Patterns of types; a resource has to match one of them.
    pub types: Vec<String>,
    /// Patterns of IDs; a node has to match one of them.
    pub only: Vec<String>,
    /// Patterns of IDs that are omitted.
    pub hide: Vec<String>,
}

/// The error for the ID of a focus that the graph does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownNode(pub String);

impl std::fmt::Display for UnknownNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownNode {}

impl Selection {
    /// Returns the part of a graph to draw.
    ///
    /// # Errors
    /// When the graph does not have the node of a focus.
    pub fn apply(&self, graph: &Graph) -> Result<Graph, UnknownNode> {
        let mut keeps = vec![true; graph.nodes.len()];
        if !self.focus.is_empty() {
            keeps = vec![false; graph.nodes.len()];
            for id in &self.focus {
                let start =
                    graph.nodes.iter().position(|node| node.id == *id).ok_or_else(|| UnknownNode(id.clone()))?;
                for node in self.near(graph, start) {
                    if let Some(keep) = keeps.get_mut(node) {
                        *keep = true;
                    }
                }
            }
        }
        for (keep, node) in keeps.iter_mut().zip(&graph.nodes) {
            *keep = *keep && self.admits(node);
        }
        Ok(part(graph, &keeps))
    }

    fn admits(&self, node: &Node) -> bool {
        let matches = |pattern: &str, text: &str| matches_wildcard(pattern, text, |p, c| p == c || p == '?');
        let any = |patterns: &[String], text: &str| patterns.iter().any(|pattern| matches(pattern, text));
        let has_type = self.types.is_empty() || (node.kind == NodeKind::Resource && any(&self.types, &node.type_name));
        has_type && (self.only.is_empty() || any(&self.only, &node.id)) && !any(&self.hide, &node.id)
    }

    fn near(&self, graph: &Graph, start: usize) -> Vec<usize> {
        let forward = targets(graph, |_| true);
        let mut backward = vec![Vec::new(); graph.nodes.len()];
        for edge in &graph.edges {
            if let Some(list) = backward.get_mut(edge.to) {
                list.push(edge.from);
            }
        }
        let ways: &[&Vec<Vec<usize>>] = match self.direction.unwrap_or(Direction::Both) {
            Direction::In => &[&backward],
            Direction::Out => &[&forward],
            Direction::Both => &[&backward, &forward],
        };
        let mut found = vec![start];
        for way in ways {
            let mut seen = vec![start];
            let mut level = vec![start];
            let mut depth = 0;
            while !level.is_empty() && self.depth.is_none_or(|most| depth < most) {
                depth += 1;
                let next: Vec<usize> =
                    level.iter().flat_map(|&node| way.get(node).into_iter().flatten().copied()).collect();
                level.clear();
                for node in next {
                    if !seen.contains(&node) {
                        seen.push(node);
                        level.push(node);
                    }
                }
            }
            found.extend(seen);
        }
        found
    }
}

/// Returns the nodes to keep, and the edges among them.
pub(crate) fn part(graph: &Graph, keeps: &[bool]) -> Graph {
    let mut numbers = vec![None; graph.nodes.len()];
    let mut nodes = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate().filter(|(at, _)| keeps.get(*at) == Some(&true)) {
        if let Some(number) = numbers.get_mut(at) {
            *number = Some(nodes.len());
        }
        nodes.push(node.clone());
    }
    let number = |at: usize| numbers.get(at).copied().flatten();
    let edges = graph
        .edges
        .iter()
        .filter_map(|edge| Some(Edge { from: number(edge.from)?, to: number(edge.to)?, ..edge.clone() }));
    Graph { nodes, edges: edges.collect(), clusters: graph.clusters.clone(), notes: graph.notes.clone() }.tidy()
}
