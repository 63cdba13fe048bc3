//! Cycles in graphs.

/// Strongly connected components with more than one node, and nodes with an edge to themselves, in
/// the order of their first node. Each component lists its nodes along a cycle. `edges[n]` are the
/// targets of node `n`. Uses no recursion (Tarjan's algorithm with its stack on the heap).
pub fn cycles(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = components(edges)
        .into_iter()
        .filter(|part| part.len() > 1 || edges[part[0] as usize].contains(&part[0]))
        .map(|part| walk_cycle(edges, &part))
        .collect();
    found.sort();
    found
}

fn components(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let (mut order, mut low, mut on_stack) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut stack, mut parts, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..count as u32 {
        // What has no edge is in no cycle.
        if order[root as usize] != NEW || edges[root as usize].is_empty() {
            continue;
        }
        let mut calls: Vec<(u32, usize)> = vec![(root, 0)];
        while let Some(&mut (node, ref mut at)) = calls.last_mut() {
            let n = node as usize;
            if *at == 0 {
                order[n] = next;
                low[n] = next;
                next += 1;
                stack.push(node);
                on_stack[n] = true;
            }
            if let Some(&target) = edges[n].get(*at) {
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
                let mut part = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member as usize] = false;
                    part.push(member);
                    if member == node {
                        break;
                    }
                }
                parts.push(part);
            }
        }
    }
    parts
}

/// The shortest cycle through the least node of a strongly connected component.
fn walk_cycle(edges: &[Vec<u32>], part: &[u32]) -> Vec<u32> {
    let start = part.iter().copied().min().unwrap_or_default();
    let inside: std::collections::HashSet<u32> = part.iter().copied().collect();
    let mut came_from = std::collections::HashMap::new();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &target in &edges[node as usize] {
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

    #[test]
    fn finds_each_cycle_once() {
        assert_eq!(cycles(&[vec![1], vec![2], vec![0], vec![0]]), [[0, 1, 2]]);
        assert_eq!(cycles(&[vec![0], vec![]]), [[0]]);
        assert!(cycles(&[vec![1, 2], vec![2], vec![]]).is_empty());
        assert_eq!(cycles(&[vec![1], vec![0, 2], vec![3], vec![2]]), [[0, 1], [2, 3]]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let mut edges: Vec<Vec<u32>> = (1..100_000).map(|next| vec![next]).collect();
        edges.push(vec![0]);
        assert_eq!(cycles(&edges)[0].len(), 100_000);
    }
}
