//! Draws graphs for Mermaid.

use std::fmt::Write as _;

use super::{inside, lines, nodes_in, words};
use crate::collapse::{Level, collapsed};
use crate::model::{Graph, Node, NodeKind};

/// Maximum number of edges and characters that Mermaid draws by default.
const EDGES: usize = 500;
const CHARACTERS: usize = 50_000;

/// The error for a graph that is too large for Mermaid, even when collapsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the graph is too large for Mermaid, which draws {EDGES} edges and {CHARACTERS} characters")
    }
}

impl std::error::Error for TooLarge {}

/// Returns the graph as a flow chart; collapsed further when it is too large for Mermaid, which the notes report.
///
/// # Errors
/// When it is too large even then.
pub fn render(graph: &Graph) -> Result<(String, Vec<String>), TooLarge> {
    let mut current = graph.clone();
    for level in [None, Some(Level::Loops), Some(Level::Modules), Some(Level::Services)] {
        if let Some(level) = level {
            current = collapsed(&current, level);
        }
        let text = chart(&current);
        if current.edges.len() <= EDGES && text.chars().count() <= CHARACTERS {
            return Ok((text, current.notes));
        }
    }
    Err(TooLarge)
}

fn chart(graph: &Graph) -> String {
    let mut out = String::from("flowchart LR\n");
    cluster(graph, None, 1, &mut out);
    for edge in &graph.edges {
        let arrow = match (edge.is_weak(), words(edge)) {
            (true, words) if words.is_empty() => "-.->".to_owned(),
            (true, words) => format!("-. {} .->", quoted(&words)),
            (false, words) if words.is_empty() => "-->".to_owned(),
            (false, words) => format!("-- {} -->", quoted(&words)),
        };
        let _ = writeln!(out, "  n{} {arrow} n{}", edge.from + 1, edge.to + 1);
    }
    let cycles: Vec<String> =
        graph.edges.iter().enumerate().filter(|(_, edge)| edge.is_cycle).map(|(at, _)| at.to_string()).collect();
    if !cycles.is_empty() {
        let _ = writeln!(out, "  linkStyle {} stroke:red", cycles.join(","));
    }
    let absent: Vec<String> = graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| node.is_absent)
        .map(|(at, _)| format!("n{}", at + 1))
        .collect();
    if !absent.is_empty() {
        let _ = writeln!(out, "  classDef absent stroke-dasharray:4\n  class {} absent", absent.join(","));
    }
    out
}

fn cluster(graph: &Graph, parent: Option<usize>, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    for (at, node) in nodes_in(graph, parent) {
        let _ = writeln!(out, "{indent}n{}{}", at + 1, shape(node));
    }
    for at in inside(graph, parent) {
        let Some(one) = graph.clusters.get(at) else { continue };
        let _ =
            writeln!(out, "{indent}subgraph c{} [{}]", at + 1, quoted(&format!("{} {}", one.kind.name(), one.label)));
        cluster(graph, Some(at), depth + 1, out);
        let _ = writeln!(out, "{indent}end");
    }
}

fn shape(node: &Node) -> String {
    let label = quoted(&lines(node).join("\n"));
    match node.kind {
        NodeKind::Resource => format!("[{label}]"),
        NodeKind::Group => format!("[[{label}]]"),
        NodeKind::Parameter => format!("([{label}])"),
        NodeKind::Condition => format!("{{{label}}}"),
        NodeKind::Output => format!("[/{label}/]"),
        NodeKind::Import => format!(">{label}]"),
    }
}

/// Quotes a Mermaid string, without special characters and tags.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("<br>"),
            'A'..='Z' | 'a'..='z' | '0'..='9' | ' ' | '.' | ',' | ':' | '-' | '/' => out.push(c),
            c if c.is_control() => {}
            c => {
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
