//! Stacks as a graph: templates as boxes, the names that they share as arrows (reference/graph.md#stacks).

use std::collections::BTreeMap;

use formwork_graph::{Edge, EdgeKind, Graph, Node, NodeKind};
use formwork_repository::{Certainty, Kind, Links, Template};

/// The type of a stack.
const STACK: &str = "AWS::CloudFormation::Stack";

/// Draws templates with the names that they share. Templates that share none are left out.
pub fn stack_graph(templates: &[Template]) -> Graph {
    let links = Links::of(templates);
    let is_drawn = |at: usize| links.links().iter().any(|link| link.from == at || link.to == at);
    let drawn: Vec<usize> = (0..templates.len()).filter(|&at| is_drawn(at)).collect();
    let mut graph = Graph::default();
    let mut paths: BTreeMap<&str, usize> = BTreeMap::new();
    for template in templates {
        *paths.entry(&template.path).or_default() += 1;
    }
    for &at in &drawn {
        let Some(template) = templates.get(at) else { continue };
        let is_only = paths.get(template.path.as_str()) == Some(&1);
        graph.nodes.push(node(template, (!is_only).then_some(at)));
    }
    let mut edges: BTreeMap<(usize, usize), (Vec<EdgeKind>, bool)> = BTreeMap::new();
    for link in links.links() {
        let (Ok(from), Ok(to)) = (drawn.binary_search(&link.from), drawn.binary_search(&link.to)) else { continue };
        let Some((import, export)) = links.ends(link) else { continue };
        let (kinds, is_certain) = edges.entry((from, to)).or_default();
        let name = export.name.to_string();
        kinds.push(match import.kind {
            Kind::Export => EdgeKind::Export(name),
            Kind::Output => EdgeKind::StackOutput(name),
            Kind::Stored => EdgeKind::Stored(name),
        });
        *is_certain |= link.certainty == Certainty::Same && import.kind == Kind::Export;
    }
    for ((from, to), (mut kinds, is_certain)) in edges {
        kinds.sort_unstable();
        kinds.dedup();
        graph.edges.push(Edge { from, to, kinds, is_certain, is_implied: false, is_cycle: false, count: 1 });
    }
    let alone = templates.len() - drawn.len();
    if alone > 0 {
        let verb = if alone == 1 { "template shares no name, and is" } else { "templates share no names, and are" };
        graph.notes.push(format!("{alone} {verb} left out"));
    }
    graph.marked()
}

/// The box of a stack; `number` for one of several with the same template.
fn node(template: &Template, number: Option<usize>) -> Node {
    let mut label = template.stack.clone().unwrap_or_else(|| template.path.clone());
    let mut id = template.path.clone();
    if number.is_some() {
        id = match (&template.stage, &template.stack) {
            (Some(stage), _) => format!("{id} ({stage})"),
            (None, Some(stack)) => format!("{id} ({stack})"),
            (None, None) => format!("{id} ({})", number.unwrap_or_default() + 1),
        };
    }
    if let Some(stage) = &template.stage {
        label = format!("{label} ({stage})");
    }
    Node {
        id,
        kind: NodeKind::Resource,
        type_name: STACK.to_owned(),
        label,
        loop_name: None,
        module: None,
        key: None,
        cluster: None,
        file: Some(template.path.clone()),
        line: Some(1),
        is_absent: false,
        count: 1,
    }
}
