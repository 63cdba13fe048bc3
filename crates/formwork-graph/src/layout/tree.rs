//! Containers, and the paths of edges through them.

use crate::model::Graph;

/// An item of a container. Container 0 is the picture, container n + 1 the cluster n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Node(usize),
    Container(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Passage {
    /// From one item down to another one, by their indexes.
    Between(usize, usize),
    /// From the upper side of the container down to an item.
    FromTop(usize),
    /// From an item down to the lower side of the container.
    ToBottom(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Way {
    /// The containers that it passes, from its upper to its lower end.
    pub(super) containers: Vec<usize>,
    /// Set if the user is the lower end: edges of cycles.
    pub(super) is_flipped: bool,
}

#[derive(Debug)]
pub(super) struct Tree {
    /// The items of each container: its nodes, then its clusters, in the order of the graph.
    pub(super) items: Vec<Vec<Item>>,
    /// The parts of edges in each container, with the numbers of the edges.
    pub(super) passages: Vec<Vec<(usize, Passage)>>,
    /// The path of each edge; `None` for edges of a node to itself.
    pub(super) ways: Vec<Option<Way>>,
}

impl Tree {
    pub(super) fn new(graph: &Graph) -> Tree {
        let count = graph.clusters.len() + 1;
        let container = |cluster: Option<usize>| cluster.map_or(0, |cluster| cluster + 1);
        let mut items = vec![Vec::new(); count];
        // The index of each node and container among the items of the one around it.
        let mut node_index = Vec::with_capacity(graph.nodes.len());
        let mut container_index = vec![0; count];
        for (number, node) in graph.nodes.iter().enumerate() {
            let list = &mut items[container(node.cluster)];
            node_index.push(list.len());
            list.push(Item::Node(number));
        }
        for (number, cluster) in graph.clusters.iter().enumerate() {
            let list = &mut items[container(cluster.parent)];
            container_index[number + 1] = list.len();
            list.push(Item::Container(number + 1));
        }
        // The containers around a node, outermost first, each with the index of the item that leads to the node.
        let path = |node: usize| -> Vec<(usize, usize)> {
            let mut path = vec![];
            let (mut at, mut index) = (container(graph.nodes[node].cluster), node_index[node]);
            loop {
                path.push((at, index));
                let Some(cluster) = at.checked_sub(1) else { break };
                index = container_index[at];
                at = container(graph.clusters[cluster].parent);
            }
            path.reverse();
            path
        };
        let mut inner: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); count];
        let mut ends = Vec::with_capacity(graph.edges.len());
        for (number, edge) in graph.edges.iter().enumerate() {
            if edge.from == edge.to {
                ends.push(None);
                continue;
            }
            let (from, to) = (path(edge.from), path(edge.to));
            let shared = from.iter().zip(&to).take_while(|(a, b)| a.0 == b.0).count().max(1) - 1;
            inner[from[shared].0].push((number, from[shared].1, to[shared].1));
            ends.push(Some((from, to, shared)));
        }
        let mut flipped = vec![false; graph.edges.len()];
        for (list, edges) in items.iter().zip(&inner) {
            for number in backward(list.len(), edges) {
                flipped[number] = true;
            }
        }
        let mut passages = vec![Vec::new(); count];
        let ways = ends.into_iter().enumerate().map(|(number, ends)| {
            let (from, to, shared) = ends?;
            let (upper, lower) = if flipped[number] { (to, from) } else { (from, to) };
            let common = upper[shared].0;
            passages[common].push((number, Passage::Between(upper[shared].1, lower[shared].1)));
            let mut containers = Vec::new();
            for &(container, index) in upper[shared + 1..].iter().rev() {
                passages[container].push((number, Passage::ToBottom(index)));
                containers.push(container);
            }
            containers.push(common);
            for &(container, index) in &lower[shared + 1..] {
                passages[container].push((number, Passage::FromTop(index)));
                containers.push(container);
            }
            Some(Way { containers, is_flipped: flipped[number] })
        });
        let ways = ways.collect();
        Tree { items, passages, ways }
    }
}

/// Returns the edges that close a cycle among some items, in a search from the first item.
fn backward(count: usize, edges: &[(usize, usize, usize)]) -> Vec<usize> {
    let mut targets = vec![Vec::new(); count];
    for &(number, from, to) in edges {
        targets[from].push((number, to));
    }
    // 0 not visited, 1 on the current path, 2 done.
    let mut states = vec![0_u8; count];
    let mut found = Vec::new();
    for start in 0..count {
        let mut pending = vec![(start, 0)];
        while let Some((item, next)) = pending.pop() {
            if next == 0 {
                if states[item] != 0 {
                    continue;
                }
                states[item] = 1;
            }
            match targets[item].get(next) {
                Some(&(number, to)) => {
                    pending.push((item, next + 1));
                    match states[to] {
                        0 => pending.push((to, 0)),
                        1 => found.push(number),
                        _ => {}
                    }
                }
                None => states[item] = 2,
            }
        }
    }
    found
}
