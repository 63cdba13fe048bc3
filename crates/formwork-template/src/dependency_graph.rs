//! Cycles in graphs, and which dependencies may be part of one (reference/structure.md#dependency-cycles).

use formwork_base::{IdMap, IdSet};

/// A graph: the targets of each node.
#[derive(Debug, Default)]
pub struct Edges {
    targets: Vec<u32>,
    /// Ends of the target list of each node; a list begins where the previous one ends.
    ends: Vec<u32>,
}

impl Edges {
    /// Adds the next node, with edges to these nodes.
    pub fn push(&mut self, targets: impl IntoIterator<Item = u32>) {
        self.targets.extend(targets);
        self.ends.push(self.targets.len() as u32);
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the targets of a node.
    pub fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start as usize..self.ends[at] as usize]
    }
}

/// Returns `true` for a type that a transform expands to several resources: the stage of an `AWS::Serverless::Api`
/// depends on the log group of its `AccessLogSetting`, which may depend on the API itself. A reference of such a
/// resource closes no cycle, since it does not show which of them has it.
pub fn is_taken_apart(kind: &str) -> bool {
    kind.starts_with("AWS::Serverless::")
}

/// Returns the strongly connected components with more than one node, and nodes with an edge to themselves, in the
/// order of their first node. Each component lists its nodes along a cycle. Uses no recursion (Tarjan's algorithm with
/// its stack on the heap).
pub fn cycles(edges: &Edges) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = components(edges).into_iter().map(|part| walk_cycle(edges, &part)).collect();
    found.sort();
    found
}

fn components(edges: &Edges) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let (mut order, mut low, mut on_stack) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut stack, mut parts, mut next) = (Vec::new(), Vec::new(), 0);
    let mut calls: Vec<(u32, usize)> = Vec::new();
    for root in 0..count as u32 {
        // A node without edges is in no cycle.
        if order[root as usize] != NEW || edges.of(root).is_empty() {
            continue;
        }
        calls.push((root, 0));
        while let Some(&mut (node, ref mut at)) = calls.last_mut() {
            let n = node as usize;
            if *at == 0 {
                order[n] = next;
                low[n] = next;
                next += 1;
                stack.push(node);
                on_stack[n] = true;
            }
            if let Some(&target) = edges.of(node).get(*at) {
                *at += 1;
                let t = target as usize;
                if order[t] == NEW {
                    calls.push((target, 0));
                } else if on_stack[t] {
                    low[n] = low[n].min(order[t]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[n]);
            }
            if low[n] == order[n] {
                let start = stack.iter().rposition(|&member| member == node).unwrap_or_default();
                for &member in &stack[start..] {
                    on_stack[member as usize] = false;
                }
                if stack.len() - start > 1 || edges.of(node).contains(&node) {
                    parts.push(stack[start..].to_vec());
                }
                stack.truncate(start);
            }
        }
    }
    parts
}

/// Returns the shortest cycle through the first node of a strongly connected component.
fn walk_cycle(edges: &Edges, part: &[u32]) -> Vec<u32> {
    let start = part.iter().copied().min().unwrap_or_default();
    let inside: IdSet<u32> = part.iter().copied().collect();
    let mut came_from = IdMap::default();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &target in edges.of(node) {
            if target == start {
                let mut cycle = vec![node];
                while let Some(&before) = came_from.get(cycle.last().unwrap_or(&start)) {
                    cycle.push(before);
                }
                cycle.reverse();
                return cycle;
            }
            if inside.contains(&target) && !came_from.contains_key(&target) {
                came_from.insert(target, node);
                queue.push_back(target);
            }
        }
    }
    vec![start]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(edges: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut all = Edges::default();
        for targets in edges {
            all.push(targets.iter().copied());
        }
        cycles(&all)
    }

    #[test]
    fn finds_each_cycle_once() {
        assert_eq!(found(&[&[1], &[2], &[0], &[0]]), [[0, 1, 2]]);
        assert_eq!(found(&[&[0], &[]]), [[0]]);
        assert!(found(&[&[1, 2], &[2], &[]]).is_empty());
        assert_eq!(found(&[&[1], &[0, 2], &[3], &[2]]), [[0, 1], [2, 3]]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let mut edges = Edges::default();
        (1..100_000).for_each(|next| edges.push([next]));
        edges.push([0]);
        assert_eq!(cycles(&edges)[0].len(), 100_000);
    }
}
