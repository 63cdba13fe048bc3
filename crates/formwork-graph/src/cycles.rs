//! Cycles, and dependencies that others imply.

use formwork_template::dependency_graph;

use crate::model::{Edge, EdgeKind, Graph};

impl Graph {
    /// Marks the edges of cycles, and those that others imply.
    #[must_use]
    pub fn marked(mut self) -> Graph {
        mark(&mut self);
        self
    }

    /// Returns the IDs of the nodes of each cycle, in order.
    pub fn cycles(&self) -> Vec<Vec<&str>> {
        components(self)
            .into_iter()
            .map(|component| {
                component.iter().filter_map(|&at| self.nodes.get(at)).map(|node| node.id.as_str()).collect()
            })
            .collect()
    }
}

pub(crate) fn targets(graph: &Graph, wanted: impl Fn(&Edge) -> bool) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| wanted(edge)) {
        if let Some(list) = targets.get_mut(edge.from) {
            list.push(edge.to);
        }
    }
    targets
}

/// Returns `true` if an edge may be part of a cycle: the edge of a resource that a transform expands belongs to only
/// one of its parts.
fn may_close(graph: &Graph, edge: &Edge) -> bool {
    let kind = graph.nodes.get(edge.from).map_or("", |node| node.type_name.as_str());
    edge.is_certain && !dependency_graph::is_taken_apart(kind)
}

/// Returns the strongly connected components with more than one node or an edge to itself, each in order.
pub(crate) fn components(graph: &Graph) -> Vec<Vec<usize>> {
    let targets = targets(graph, |edge| may_close(graph, edge));
    let mut sources = vec![Vec::new(); graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| may_close(graph, edge)) {
        if let Some(list) = sources.get_mut(edge.to) {
            list.push(edge.from);
        }
    }
    // Kosaraju, with lists instead of recursion.
    let mut order = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    for start in 0..graph.nodes.len() {
        let mut pending = vec![(start, 0)];
        while let Some((node, next)) = pending.pop() {
            if next == 0 && std::mem::replace(seen.get_mut(node).unwrap_or(&mut true), true) {
                continue;
            }
            match targets.get(node).and_then(|list| list.get(next)) {
                Some(&target) => {
                    pending.push((node, next + 1));
                    if seen.get(target) == Some(&false) {
                        pending.push((target, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut found = Vec::new();
    let mut done = vec![false; graph.nodes.len()];
    for &start in order.iter().rev() {
        let mut component = Vec::new();
        let mut pending = vec![start];
        while let Some(node) = pending.pop() {
            if std::mem::replace(done.get_mut(node).unwrap_or(&mut true), true) {
                continue;
            }
            component.push(node);
            pending.extend(sources.get(node).into_iter().flatten().copied());
        }
        let is_own = targets.get(start).is_some_and(|list| list.contains(&start));
        if component.len() > 1 || (component.len() == 1 && is_own) {
            component.sort_unstable();
            found.push(component);
        }
    }
    found.sort();
    found
}

/// Marks edges of cycles, and each `DependsOn` that a path along other edges implies.
pub(crate) fn mark(graph: &mut Graph) {
    let components = components(graph);
    let component = |node: usize| components.iter().position(|component| component.binary_search(&node).is_ok());
    let others = targets(graph, |edge| edge.kinds.iter().any(|kind| *kind != EdgeKind::DependsOn));
    let marks: Vec<(bool, bool)> = graph
        .edges
        .iter()
        .map(|edge| {
            let own = component(edge.from);
            let is_cycle = own.is_some() && own == component(edge.to) && may_close(graph, edge);
            let is_implied = edge.kinds.contains(&EdgeKind::DependsOn) && leads(&others, edge.from, edge.to);
            (is_cycle, is_implied)
        })
        .collect();
    for (edge, (is_cycle, is_implied)) in graph.edges.iter_mut().zip(marks) {
        (edge.is_cycle, edge.is_implied) = (is_cycle, is_implied);
    }
}

fn leads(targets: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; targets.len()];
    let mut pending: Vec<usize> = targets.get(from).cloned().unwrap_or_default();
    while let Some(node) = pending.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(seen.get_mut(node).unwrap_or(&mut true), true) {
            pending.extend(targets.get(node).into_iter().flatten().copied());
        }
    }
    false
}
