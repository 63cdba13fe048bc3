//! Draws graphs for Graphviz.

use std::fmt::Write as _;

use super::{inside, lines, nodes_in, words};
use crate::model::{Edge, Graph, Node, NodeKind};

/// Returns the graph in the DOT language; the name of a node is its ID.
pub fn render(graph: &Graph) -> String {
    let mut out = String::from("digraph formwork {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    cluster(graph, None, 1, &mut out);
    for edge in &graph.edges {
        let name = |at: usize| graph.nodes.get(at).map_or("", |node| &node.id);
        let _ = writeln!(out, "  {} -> {}{};", quoted(name(edge.from)), quoted(name(edge.to)), attributes(edge));
    }
    out.push_str("}\n");
    out
}

fn cluster(graph: &Graph, parent: Option<usize>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (_, node) in nodes_in(graph, parent) {
        let _ = writeln!(out, "{indent}{}{};", quoted(&node.id), node_attributes(node));
    }
    for at in inside(graph, parent) {
        let Some(one) = graph.clusters.get(at) else { continue };
        let label = quoted(&format!("{} {}", one.kind.name(), one.label));
        let _ = writeln!(out, "{indent}subgraph {} {{", quoted(&format!("cluster_{at}")));
        let _ = writeln!(out, "{indent}  label={label};");
        cluster(graph, Some(at), depth + 1, out);
        let _ = writeln!(out, "{indent}}}");
    }
}

/// Quotes a DOT string: `\` and `"` are escaped, a line end is `
/// `.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn node_attributes(node: &Node) -> String {
    let mut all = vec![format!("label={}", quoted(&lines(node).join("\n")))];
    let shape = match node.kind {
        NodeKind::Resource => None,
        NodeKind::Group => Some("box3d"),
        NodeKind::Parameter => Some("ellipse"),
        NodeKind::Condition => Some("diamond"),
        NodeKind::Output => Some("note"),
        NodeKind::Import => Some("cds"),
    };
    all.extend(shape.map(|shape| format!("shape={shape}")));
    if node.is_absent {
        all.push("style=\"dashed\"".to_owned());
    }
    if let (Some(file), Some(line)) = (&node.file, node.line) {
        all.push(format!("URL={}", quoted(&format!("{file}#L{line}"))));
    }
    format!(" [{}]", all.join(", "))
}

fn attributes(edge: &Edge) -> String {
    let mut all = Vec::new();
    if edge.is_weak() {
        all.push(format!("style={}", if edge.is_implied { "dotted" } else { "dashed" }));
    }
    if edge.is_cycle {
        all.push("color=red".to_owned());
    }
    let words = words(edge);
    if !words.is_empty() {
        all.push(format!("label={}", quoted(&words)));
    }
    if all.is_empty() { String::new() } else { format!(" [{}]", all.join(", ")) }
}
