//! Places boxes: each cluster is laid out by itself and is then a box in the one around it.
//!
//! The items of a container are assigned to rows, users above what they use (longest paths). An edge that passes a row
//! has a cell of its own there, so that no edge runs through a box; between rows it runs on a track of its own. All
//! numbers are integers: the same graph has the same picture everywhere.

mod coordinates;
mod far;
mod fold;
mod order;
mod ranks;
mod rect;
mod rows;
mod tracks;
mod tree;

use crate::model::Graph;
use coordinates::Placed;
use far::Far;
pub use rect::{LABEL, Rect};
use tree::Tree;

/// The positions of all boxes and edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The width of the picture.
    pub width: i64,
    /// The height of the picture.
    pub height: i64,
    /// The boxes of the nodes.
    pub nodes: Vec<Rect>,
    /// The frames of the clusters.
    pub clusters: Vec<Rect>,
    /// The corners of each edge, from the user to the used node; empty for an edge of a node to itself.
    pub edges: Vec<Vec<(i64, i64)>>,
}

/// Lays out a graph whose nodes have these widths and heights, and whose clusters have labels of these widths.
pub fn layout(graph: &Graph, sizes: &[(i64, i64)], labels: &[i64]) -> Layout {
    let tree = Tree::new(graph);
    let first = placed(graph, &tree, sizes, labels, None);
    if graph.clusters.is_empty() {
        return first;
    }
    // Edges leave a cluster in the order of their other ends, which is known after a first layout.
    let middles: Vec<i64> = first.nodes.iter().map(|rect| rect.x + rect.width / 2).collect();
    placed(graph, &tree, sizes, labels, Some(&middles))
}

fn placed(graph: &Graph, tree: &Tree, sizes: &[(i64, i64)], labels: &[i64], middles: Option<&[i64]>) -> Layout {
    let far = Far::new(graph, tree, middles);
    let mut placed: Vec<Placed> = (0..=graph.clusters.len()).map(|_| Placed::default()).collect();
    // A cluster has a higher number than the one around it, so the innermost are last.
    for container in (0..=graph.clusters.len()).rev() {
        let label = container.checked_sub(1).and_then(|at| labels.get(at)).copied().unwrap_or(0);
        placed[container] = coordinates::place(tree, container, sizes, &placed, label, &far);
    }
    finish(graph, tree, &placed, sizes)
}

/// Converts positions in containers to positions in the picture.
fn finish(graph: &Graph, tree: &Tree, placed: &[Placed], sizes: &[(i64, i64)]) -> Layout {
    let mut corners = vec![(0, 0); placed.len()];
    let mut layout = Layout {
        width: placed[0].width,
        height: placed[0].height,
        nodes: vec![Rect::default(); graph.nodes.len()],
        clusters: vec![Rect::default(); graph.clusters.len()],
        edges: vec![Vec::new(); graph.edges.len()],
    };
    for (container, inner) in placed.iter().enumerate() {
        let (x, y) = corners[container];
        for (item, (left, top)) in tree.items[container].iter().zip(&inner.corners) {
            match *item {
                tree::Item::Node(node) => {
                    let (width, height) = sizes[node];
                    layout.nodes[node] = Rect { x: x + left, y: y + top, width, height };
                }
                tree::Item::Container(other) => {
                    corners[other] = (x + left, y + top);
                    let (width, height) = (placed[other].width, placed[other].height);
                    layout.clusters[other - 1] = Rect { x: x + left, y: y + top, width, height };
                }
            }
        }
    }
    for (number, way) in tree.ways.iter().enumerate() {
        let Some(way) = way else { continue };
        let mut points: Vec<(i64, i64)> = Vec::new();
        for &container in &way.containers {
            let (x, y) = corners[container];
            let part = placed[container].paths.iter().find(|(edge, _)| *edge == number);
            points.extend(part.into_iter().flat_map(|(_, points)| points).map(|(left, top)| (x + left, y + top)));
        }
        points.dedup();
        if way.is_flipped {
            points.reverse();
        }
        layout.edges[number] = straightened(&points);
    }
    layout
}

/// Removes points that are not corners.
fn straightened(points: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut out: Vec<(i64, i64)> = Vec::with_capacity(points.len());
    for &point in points {
        if let [.., a, b] = out.as_slice()
            && ((a.0 == b.0 && b.0 == point.0) || (a.1 == b.1 && b.1 == point.1))
        {
            out.pop();
        }
        out.push(point);
    }
    out
}
