//! Drawings of generated graphs of 10 to 500 nodes: nothing overlaps, and edges cross seldom.
//!
//! `DAGRE` holds the crossings of `@dagrejs/dagre` for the same graphs, sizes and clusters. To count them again:
//! `cargo test -p formwork-graph --test it -- --ignored`, then `node tests/dagre.mjs target/graphs.jsonl`, which
//! counts both drawings with one function.

use formwork_graph::layout::{Layout, Rect, layout};
use formwork_graph::{Cluster, ClusterKind, Edge, EdgeKind, Graph, Node, NodeKind};

/// How the edges of a generated graph are spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Each node uses one or two of any earlier ones.
    Random,
    /// Each node uses up to three of the twelve before it.
    Chain,
    /// Few nodes (roles, tables) are used by most others.
    Hubs,
    /// Groups of six with few edges between them.
    Groups,
    /// Modules of about ten nodes that share some nodes outside.
    Modules,
}

const SHAPES: [Shape; 5] = [Shape::Random, Shape::Chain, Shape::Hubs, Shape::Groups, Shape::Modules];
const SIZES: [usize; 9] = [10, 20, 40, 60, 100, 150, 200, 300, 500];

/// The crossings of dagre 3.1.3, a row for each shape, a column for each size.
const DAGRE: [[u64; 9]; 5] = [
    [4, 10, 57, 167, 482, 982, 2134, 4586, 13850],
    [1, 20, 77, 107, 243, 346, 516, 751, 1335],
    [6, 17, 61, 139, 561, 1364, 2008, 5459, 17316],
    [0, 2, 11, 23, 112, 206, 266, 690, 1455],
    [1, 13, 55, 201, 437, 1000, 2132, 4226, 11536],
];

/// A generator of numbers (xorshift), so that the graphs are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % bound.max(1) as u64).expect("below the bound")
    }

    fn is_in(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn generated(shape: Shape, count: usize) -> Graph {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15 ^ (count as u64) << 8 ^ shape as u64);
    let hubs = (count / 15).max(2);
    let outside = count / 5;
    let modules = if shape == Shape::Modules { (count / 10).max(1) } else { 0 };
    let cluster = |at: usize| (modules > 0 && at >= outside).then(|| at % modules);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for at in 1..count {
        let mut uses = Vec::new();
        match shape {
            Shape::Random => {
                uses.push(numbers.below(at));
                if numbers.is_in(60) {
                    uses.push(numbers.below(at));
                }
            }
            Shape::Chain => {
                for _ in 0..=numbers.below(3) {
                    uses.push(at.saturating_sub(1 + numbers.below(12)));
                }
            }
            Shape::Hubs => {
                if at >= hubs && numbers.is_in(90) {
                    uses.push(numbers.below(hubs));
                }
                if at > hubs && numbers.is_in(60) {
                    uses.push(hubs + numbers.below(at - hubs));
                }
            }
            Shape::Groups => {
                let first = at / 6 * 6;
                for percent in [100, 50] {
                    if at > first && numbers.is_in(percent) {
                        uses.push(first + numbers.below(at - first));
                    }
                }
                if numbers.is_in(15) {
                    uses.push(numbers.below(at));
                }
            }
            Shape::Modules => {
                let same: Vec<usize> = (0..at).filter(|&other| cluster(other) == cluster(at)).collect();
                if numbers.is_in(70) {
                    uses.extend(same.get(numbers.below(same.len())));
                }
                if numbers.is_in(70) {
                    uses.push(numbers.below(at.min(outside)));
                }
            }
        }
        for used in uses {
            if used != at && !pairs.contains(&(at, used)) {
                pairs.push((at, used));
            }
        }
    }
    let node = |at: usize| Node {
        id: format!("Node{at}"),
        kind: NodeKind::Resource,
        type_name: "AWS::SQS::Queue".to_owned(),
        label: format!("Node{at}"),
        loop_name: None,
        module: None,
        key: None,
        cluster: cluster(at),
        file: None,
        line: None,
        is_absent: false,
        count: 1,
    };
    let edge = |&(from, to): &(usize, usize)| Edge {
        from,
        to,
        kinds: vec![EdgeKind::Ref],
        is_implied: false,
        is_cycle: false,
        is_certain: true,
        count: 1,
    };
    let cluster = |at: usize| Cluster { kind: ClusterKind::Module, label: format!("m{at}"), parent: None };
    Graph {
        nodes: (0..count).map(node).collect(),
        edges: pairs.iter().map(edge).collect(),
        clusters: (0..modules).map(cluster).collect(),
        notes: Vec::new(),
    }
}

fn drawn(graph: &Graph) -> Layout {
    let size = |at: usize| (80 + (at as i64 * 37 % 120), if at.is_multiple_of(5) { 68 } else { 52 });
    let sizes: Vec<(i64, i64)> = (0..graph.nodes.len()).map(size).collect();
    layout(graph, &sizes, &vec![60; graph.clusters.len()])
}

type Point = (i64, i64);

/// The pieces of all edges, with the number of the edge, from top to bottom.
fn pieces(layout: &Layout) -> Vec<(Point, Point, usize)> {
    let mut pieces: Vec<(Point, Point, usize)> = Vec::new();
    for (number, points) in layout.edges.iter().enumerate() {
        pieces.extend(points.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]), number)));
    }
    pieces.sort_by_key(|(a, b, number)| (a.1.min(b.1), *number));
    pieces
}

/// Counts the points where the insides of a horizontal and a vertical piece of two edges meet.
fn crossings(layout: &Layout) -> u64 {
    let (level, upright): (Vec<_>, Vec<_>) = pieces(layout).into_iter().partition(|(a, b, _)| a.1 == b.1);
    let mut count = 0;
    for (a, b, number) in &upright {
        let first = level.partition_point(|(left, _, _)| left.1 <= a.1.min(b.1));
        let between = level[first..].iter().take_while(|(left, _, _)| left.1 < a.1.max(b.1));
        count += between.filter(|(left, right, other)| other != number && left.0 < a.0 && a.0 < right.0).count() as u64;
    }
    count
}

fn faults(layout: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, rect) in layout.nodes.iter().enumerate() {
        let others = layout.nodes.iter().take(at).enumerate();
        faults.extend(others.filter(|(_, other)| rect.overlaps(other)).map(|(other, _)| format!("{other} on {at}")));
    }
    for (at, a) in layout.clusters.iter().enumerate() {
        let others = layout.clusters.iter().take(at).enumerate();
        faults
            .extend(others.filter(|(_, other)| a.overlaps(other)).map(|(other, _)| format!("cluster {other} on {at}")));
    }
    for (a, b, number) in pieces(layout) {
        let is_inside = |rect: &&Rect| {
            a.0.min(b.0) < rect.x + rect.width
                && a.0.max(b.0) > rect.x
                && a.1.min(b.1) < rect.y + rect.height
                && a.1.max(b.1) > rect.y
        };
        faults.extend(layout.nodes.iter().find(is_inside).map(|rect| format!("edge {number} runs through {rect:?}")));
    }
    faults
}

#[test]
fn nothing_overlaps_and_edges_cross_less_often_than_those_of_dagre() {
    for (shape, of_dagre) in SHAPES.into_iter().zip(DAGRE) {
        let mut all = (0, 0);
        for (count, of_dagre) in SIZES.into_iter().zip(of_dagre) {
            let layout = drawn(&generated(shape, count));
            let faults = faults(&layout);
            assert!(faults.is_empty(), "{shape:?} {count}: {faults:?}");
            let ours = crossings(&layout);
            assert!(ours * 10 <= of_dagre * 13, "{shape:?} of {count} nodes: {ours} crossings, dagre {of_dagre}");
            all = (all.0 + ours, all.1 + of_dagre);
        }
        assert!(all.0 < all.1, "{shape:?}: {} crossings, dagre {}", all.0, all.1);
    }
}

/// Writes the graphs and the drawings for `tests/dagre.mjs`.
#[test]
#[expect(clippy::disallowed_methods, reason = "a file for the comparison, on request")]
#[ignore = "for tests/dagre.mjs"]
fn graphs_for_dagre() {
    let mut out = String::new();
    for shape in SHAPES {
        for count in SIZES {
            let graph = generated(shape, count);
            let layout = drawn(&graph);
            let line = serde_json::json!({
                "shape": format!("{shape:?}"),
                "count": count,
                "clusters": graph.clusters.len(),
                "nodes": graph.nodes.iter().zip(&layout.nodes)
                    .map(|(node, rect)| serde_json::json!({"width": rect.width, "height": rect.height, "cluster": node.cluster}))
                    .collect::<Vec<_>>(),
                "edges": graph.edges.iter().map(|edge| [edge.from, edge.to]).collect::<Vec<_>>(),
                "ours": layout.edges,
            });
            out.push_str(&line.to_string());
            out.push('\n');
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/graphs.jsonl"), out).expect("written");
}
