//! Draws graphs as SVG without scripts and fonts, for light and dark pages.

use std::fmt::Write as _;

use super::{lines, words};
use crate::layout::{LABEL, Layout, Rect, layout};
use crate::model::{Graph, Node, NodeKind};

/// Width of a character, and height of a line, in a sans-serif font of 12 points: an upper bound for most.
const CHARACTER: i64 = 8;
const LINE: i64 = 16;
const PADDING: i64 = 10;
/// Maximum number of characters of a line in a box.
const SHOWN: usize = 40;

const STYLE: &str = "
    svg { background: #ffffff; font: 12px sans-serif; }
    text { fill: #1f2328; } .type { fill: #59636e; font-size: 10px; }
    .box { fill: #f6f8fa; stroke: #57606a; } .absent { stroke-dasharray: 4 3; fill: url(#hatch); }
    .cluster { fill: none; stroke: #8c959f; stroke-dasharray: 2 2; } .cluster-label { fill: #59636e; font-size: 11px; }
    .edge { fill: none; stroke: #57606a; } .order { stroke-dasharray: 5 3; } .implied { stroke-dasharray: 1 3; }
    .cycle { stroke: #cf222e; stroke-width: 2; } .head { fill: #57606a; } .hatched { stroke: #8c959f; }
    @media (prefers-color-scheme: dark) {
      svg { background: #0d1117; } text { fill: #e6edf3; } .type, .cluster-label { fill: #9198a1; }
      .box { fill: #161b22; stroke: #8d96a0; } .edge { stroke: #8d96a0; } .cycle { stroke: #ff7b72; } .head { fill: #8d96a0; }
    }
";

/// Returns the SVG; `title` is its accessible name.
pub fn render(graph: &Graph, title: &str) -> String {
    let sizes: Vec<(i64, i64)> = graph.nodes.iter().map(size).collect();
    let labels: Vec<i64> = graph.clusters.iter().map(|cluster| width(&cluster.label) + 8 * CHARACTER).collect();
    let place = layout(graph, &sizes, &labels);
    let mut out = String::new();
    let (width, height) = (place.width, place.height);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">"
    );
    let _ = writeln!(out, "<title id=\"title\">{}</title>", escaped(title));
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    let _ = writeln!(out, "<desc id=\"desc\">{nodes} boxes and {edges} arrows from what uses to what is used</desc>");
    let _ = writeln!(out, "<style>{STYLE}</style>");
    out.push_str("<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path class=\"head\" d=\"M0 0 L8 4 L0 8 z\"/></marker>");
    out.push_str("<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"hatched\" d=\"M0 0 V6\"/></pattern></defs>\n");
    for (cluster, rect) in graph.clusters.iter().zip(&place.clusters) {
        let Rect { x, y, width, height } = *rect;
        let label = format!("{} {}", cluster.kind.name(), cluster.label);
        let _ = writeln!(
            out,
            "<g><rect class=\"cluster\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/><text class=\"cluster-label\" x=\"{}\" y=\"{}\">{}</text></g>",
            x + 8,
            y + LABEL - 6,
            escaped(&label)
        );
    }
    arrows(graph, &place, &mut out);
    for (node, rect) in graph.nodes.iter().zip(&place.nodes) {
        drawn(node, rect, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn width(text: &str) -> i64 {
    text.chars().count().min(SHOWN) as i64 * CHARACTER
}

fn size(node: &Node) -> (i64, i64) {
    let lines = lines(node);
    let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    (widest.max(60) + 2 * PADDING, lines.len() as i64 * LINE + 2 * PADDING)
}

fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN - 1).chain(['…']).collect() }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn arrows(graph: &Graph, place: &Layout, out: &mut String) {
    for (edge, points) in graph.edges.iter().zip(&place.edges) {
        let mut classes = vec!["edge"];
        if edge.is_weak() {
            classes.push(if edge.is_implied { "implied" } else { "order" });
        }
        if edge.is_cycle {
            classes.push("cycle");
        }
        let name = |at: usize| graph.nodes.get(at).map(|node| escaped(&node.id)).unwrap_or_default();
        let mut path = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x} {y}", if at == 0 { "M" } else { " L" });
        }
        if points.is_empty() {
            // A node that uses itself.
            let Some(rect) = place.nodes.get(edge.from) else { continue };
            let (x, y) = (rect.x + rect.width, rect.y + rect.height / 3);
            let _ = write!(path, "M{x} {y} h10 v10 h-10");
        }
        let kinds: Vec<&str> = edge.kinds.iter().map(crate::EdgeKind::name).collect();
        let (more, words) = (kinds.join(", "), words(edge));
        let words = if words.is_empty() { more } else { format!("{more}: {words}") };
        let _ = writeln!(
            out,
            "<path class=\"{}\" data-from=\"{}\" data-to=\"{}\" marker-end=\"url(#head)\" d=\"{path}\"><title>{} uses {} ({})</title></path>",
            classes.join(" "),
            name(edge.from),
            name(edge.to),
            name(edge.from),
            name(edge.to),
            escaped(&words)
        );
    }
}

fn drawn(node: &Node, rect: &Rect, out: &mut String) {
    let Rect { x, y, width, height } = *rect;
    let path = if node.id.contains('.') || node.kind != NodeKind::Resource {
        node.id.clone()
    } else {
        format!("Resources.{}", node.id)
    };
    let _ = write!(out, "<g data-path=\"{}\"", escaped(&path));
    if let (Some(file), Some(line)) = (&node.file, node.line) {
        let _ = write!(out, " data-file=\"{}\" data-line=\"{line}\"", escaped(file));
    }
    let class = if node.is_absent { "box absent" } else { "box" };
    let shape = match node.kind {
        NodeKind::Resource | NodeKind::Group => {
            format!("<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>")
        }
        NodeKind::Parameter => format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{}\"/>",
            height / 2
        ),
        NodeKind::Condition => {
            let (middle, side) = (y + height / 2, 8);
            format!(
                "<path class=\"{class}\" d=\"M{x} {middle} L{} {y} H{} L{} {middle} L{} {} H{} z\"/>",
                x + side,
                x + width - side,
                x + width,
                x + width - side,
                y + height,
                x + side
            )
        }
        NodeKind::Output | NodeKind::Import => {
            let fold = 8;
            format!(
                "<path class=\"{class}\" d=\"M{x} {y} H{} L{} {} V{} H{x} z\"/>",
                x + width - fold,
                x + width,
                y + fold,
                y + height
            )
        }
    };
    let _ = write!(out, ">{shape}<title>{}</title>", escaped(&node.id));
    if node.kind == NodeKind::Group {
        let _ = write!(out, "<path class=\"edge\" d=\"M{} {} H{} V{}\"/>", x + 4, y - 3, x + width + 3, y + height - 4);
    }
    for (at, line) in lines(node).iter().enumerate() {
        let class = if at == 0 { "" } else { " class=\"type\"" };
        let down = y + PADDING + LINE * (at as i64 + 1) - 4;
        let _ = write!(
            out,
            "<text{class} x=\"{}\" y=\"{down}\" text-anchor=\"middle\">{}</text>",
            x + width / 2,
            escaped(&cut(line))
        );
    }
    out.push_str("</g>\n");
}
