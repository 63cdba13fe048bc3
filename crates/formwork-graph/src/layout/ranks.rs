//! Computes ranks: the height of each item, users above the used items, with edges as short as possible.
//!
//! Long edges need a cell in every row that they pass, and those cells cause crossings. The ranks are those of the
//! network simplex method (Gansner, Koutsofios, North, Vo: "A Technique for Drawing Directed Graphs", 1993): a spanning
//! tree of edges of length one whose edges are exchanged as long as that makes the sum of all lengths smaller.

/// Maximum number of items and of edges; larger graphs keep the ranks of longest paths.
const LARGE: usize = 2_000;
/// Maximum number of visited pairs of (exchange, item), after which the ranks are taken as they are.
const WORK: usize = 4_000_000;

/// The index of an edge of the tree; `None` for a root.
type TreeEdge = Option<usize>;

/// Returns the rank of each item, from 0. `edges` are pairs (upper, lower) without cycles.
pub(super) fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut rank = longest_paths(count, edges);
    if count <= LARGE && edges.len() <= LARGE {
        Simplex::new(count, edges, &mut rank).run(&mut rank);
    }
    let least = rank.iter().copied().min().unwrap_or(0);
    rank.iter().map(|rank| usize::try_from(rank - least).unwrap_or(0)).collect()
}

/// Computes ranks by longest paths from the unused items; those are moved down to the items that they use.
fn longest_paths(count: usize, edges: &[(usize, usize)]) -> Vec<i64> {
    let mut targets = vec![Vec::new(); count];
    let mut waiting = vec![0_usize; count];
    for &(upper, lower) in edges {
        targets[upper].push(lower);
        waiting[lower] += 1;
    }
    let mut rank = vec![0_i64; count];
    let mut ready: Vec<usize> = (0..count).filter(|&item| waiting[item] == 0).collect();
    let firsts = ready.clone();
    let mut at = 0;
    while let Some(&item) = ready.get(at) {
        at += 1;
        for &lower in &targets[item] {
            rank[lower] = rank[lower].max(rank[item] + 1);
            waiting[lower] -= 1;
            if waiting[lower] == 0 {
                ready.push(lower);
            }
        }
    }
    for item in firsts {
        if let Some(nearest) = targets[item].iter().map(|&lower| rank[lower]).min() {
            rank[item] = nearest - 1;
        }
    }
    rank
}

/// A forest of edges of length one, one tree for each connected part.
struct Simplex<'e> {
    edges: &'e [(usize, usize)],
    around: Vec<Vec<usize>>,
    is_in_tree: Vec<bool>,
    /// The tree edge to the parent of each item.
    parent: Vec<TreeEdge>,
    /// The items, parents before children.
    order: Vec<usize>,
    /// The position of each item in `order`, and the position behind its last descendant.
    span: Vec<(usize, usize)>,
}

impl<'e> Simplex<'e> {
    /// Builds the trees, moving parts of the graph together until each edge of a tree has length one.
    fn new(count: usize, edges: &'e [(usize, usize)], rank: &mut [i64]) -> Simplex<'e> {
        let mut around = vec![Vec::new(); count];
        for (number, &(upper, lower)) in edges.iter().enumerate() {
            around[upper].push(number);
            around[lower].push(number);
        }
        let mut simplex = Simplex {
            edges,
            around,
            is_in_tree: vec![false; edges.len()],
            parent: vec![None; count],
            order: Vec::with_capacity(count),
            span: vec![(0, 0); count],
        };
        let mut is_reached = vec![false; count];
        for root in 0..count {
            if !is_reached[root] {
                simplex.grow(root, &mut is_reached, rank);
            }
        }
        simplex.walk();
        simplex
    }

    fn slack(&self, edge: usize, rank: &[i64]) -> i64 {
        let (upper, lower) = self.edges[edge];
        rank[lower] - rank[upper] - 1
    }

    fn grow(&mut self, root: usize, is_reached: &mut [bool], rank: &mut [i64]) {
        let mut tree = vec![root];
        is_reached[root] = true;
        let mut at = 0;
        loop {
            // Adds everything that is reached by edges of length one.
            while let Some(&item) = tree.get(at) {
                at += 1;
                for position in 0..self.around[item].len() {
                    let edge = self.around[item][position];
                    let (upper, lower) = self.edges[edge];
                    let other = if upper == item { lower } else { upper };
                    if !is_reached[other] && self.slack(edge, rank) == 0 {
                        is_reached[other] = true;
                        self.is_in_tree[edge] = true;
                        tree.push(other);
                    }
                }
            }
            // The shortest edge out of the tree becomes one of length one: the tree moves.
            let leaving = tree.iter().flat_map(|&item| self.around[item].iter().copied());
            let leaving = leaving.filter(|&edge| {
                let (upper, lower) = self.edges[edge];
                is_reached[upper] != is_reached[lower]
            });
            let Some(edge) = leaving.min_by_key(|&edge| (self.slack(edge, rank), edge)) else { break };
            let (upper, lower) = self.edges[edge];
            let slack = self.slack(edge, rank);
            let (by, other) = if is_reached[upper] { (slack, lower) } else { (-slack, upper) };
            for &item in &tree {
                rank[item] += by;
            }
            is_reached[other] = true;
            self.is_in_tree[edge] = true;
            tree.push(other);
        }
    }

    fn walk(&mut self) {
        let count = self.parent.len();
        self.order.clear();
        self.parent.iter_mut().for_each(|parent| *parent = None);
        let mut is_met = vec![false; count];
        for root in 0..count {
            if is_met[root] {
                continue;
            }
            is_met[root] = true;
            let mut pending = vec![(root, false)];
            while let Some((item, is_done)) = pending.pop() {
                if is_done {
                    self.span[item].1 = self.order.len();
                    continue;
                }
                self.span[item].0 = self.order.len();
                self.order.push(item);
                pending.push((item, true));
                for &edge in self.around[item].iter().rev() {
                    let (upper, lower) = self.edges[edge];
                    let other = if upper == item { lower } else { upper };
                    if self.is_in_tree[edge] && !is_met[other] {
                        is_met[other] = true;
                        self.parent[other] = Some(edge);
                        pending.push((other, false));
                    }
                }
            }
        }
    }

    fn is_below(&self, item: usize, root: usize) -> bool {
        let (start, end) = self.span[root];
        (start..end).contains(&self.span[item].0)
    }

    /// Exchanges edges of the trees while one of them has more edges against it than with it.
    fn run(mut self, rank: &mut [i64]) {
        let mut balance = vec![0_i64; rank.len()];
        for &(upper, lower) in self.edges {
            balance[upper] += 1;
            balance[lower] -= 1;
        }
        let mut next = 0;
        for _ in 0..WORK / (rank.len() + self.edges.len()).max(1) {
            // The sums of the edges out of the items below each item: edges among them cancel out.
            let mut sums = balance.clone();
            for &item in self.order.iter().rev() {
                let Some(edge) = self.parent[item] else { continue };
                let (upper, lower) = self.edges[edge];
                let other = if upper == item { lower } else { upper };
                sums[other] += sums[item];
            }
            let is_bad = |item: usize| match self.parent[item] {
                Some(edge) if self.edges[edge].0 == item => sums[item] < 0,
                Some(_) => sums[item] > 0,
                None => false,
            };
            let count = rank.len();
            let Some(root) = (0..count).map(|step| (next + step) % count).find(|&item| is_bad(item)) else { break };
            next = root + 1;
            let Some(edge) = self.parent[root] else { break };
            let is_upper = self.edges[edge].0 == root;
            // The shortest edge in the other direction between the two halves replaces it.
            let (start, end) = self.span[root];
            let candidates = self.order[start..end].iter().flat_map(|&item| self.around[item].iter().copied());
            let candidates = candidates.filter(|&edge| {
                let (upper, lower) = self.edges[edge];
                let (above, below) = (self.is_below(upper, root), self.is_below(lower, root));
                above != below && below == is_upper
            });
            let Some(entering) = candidates.min_by_key(|&edge| (self.slack(edge, rank), edge)) else { break };
            let by = self.slack(entering, rank);
            let by = if is_upper { -by } else { by };
            for &item in &self.order[start..end] {
                rank[item] += by;
            }
            self.is_in_tree[edge] = false;
            self.is_in_tree[entering] = true;
            self.walk();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_as_short_as_they_can_be() {
        // A diamond with a long side: the item on the short side is next to either end.
        let edges = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3)];
        let found = ranks(5, &edges);
        assert_eq!(found[..4], [0, 1, 2, 3]);
        assert!([1, 2].contains(&found[4]));
        // Three users of one item that is far below: all of them are next to it.
        assert_eq!(ranks(6, &[(0, 1), (1, 2), (3, 2), (4, 2), (5, 2)]), [0, 1, 2, 1, 1, 1]);
        // What is used by many stays close to them although longest paths leave it at the bottom.
        assert_eq!(ranks(5, &[(0, 1), (1, 2), (2, 3), (0, 4)]), [0, 1, 2, 3, 1]);
        assert_eq!(ranks(2, &[]), [0, 0]);
        assert!(ranks(0, &[]).is_empty());
    }
}
