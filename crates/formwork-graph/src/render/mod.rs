//! Draws graphs: for Graphviz, for Mermaid, as JSON, as SVG.

pub mod dot;
pub mod json;
pub mod mermaid;
pub mod svg;

use crate::model::{Edge, EdgeKind, Graph, Node, NodeKind};

/// Returns the lines of a box: the name, and the type without its first part.
fn lines(node: &Node) -> Vec<String> {
    let second = match node.kind {
        NodeKind::Resource | NodeKind::Group => node.type_name.strip_prefix("AWS::").unwrap_or(&node.type_name),
        NodeKind::Parameter => "parameter",
        NodeKind::Condition => "condition",
        NodeKind::Output => "output",
        NodeKind::Import => "import",
    };
    std::iter::once(node.label.clone()).chain((!second.is_empty()).then(|| second.to_owned())).collect()
}

/// Returns the label of an arrow: attributes, and the number of edges that it represents.
fn words(edge: &Edge) -> String {
    let mut words: Vec<String> = edge
        .kinds
        .iter()
        .filter_map(|kind| match kind {
            EdgeKind::GetAtt(name) | EdgeKind::Export(name) | EdgeKind::Stored(name) | EdgeKind::StackOutput(name) => {
                Some(name.clone())
            }
            EdgeKind::Nested => Some("nested".to_owned()),
            EdgeKind::Condition => Some("condition".to_owned()),
            _ => None,
        })
        .collect();
    if edge.count > 1 {
        words = vec![format!("x {}", edge.count)];
    }
    if edge.is_implied && edge.is_only_order() {
        words.push("implied".to_owned());
    }
    words.join(", ")
}

fn inside(graph: &Graph, parent: Option<usize>) -> impl Iterator<Item = usize> {
    (0..graph.clusters.len()).filter(move |&at| graph.clusters.get(at).is_some_and(|cluster| cluster.parent == parent))
}

fn nodes_in(graph: &Graph, cluster: Option<usize>) -> impl Iterator<Item = (usize, &Node)> {
    graph.nodes.iter().enumerate().filter(move |(_, node)| node.cluster == cluster)
}
