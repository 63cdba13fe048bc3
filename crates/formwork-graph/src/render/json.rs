//! Writes graphs as JSON (reference/graph.md#json).

use serde_json::{Value as Json, json};

use crate::model::{EdgeKind, Graph};

/// Returns the graph as one object, indented, which ends in a line break.
pub fn render(graph: &Graph) -> String {
    let nodes = graph.nodes.iter().map(|node| {
        json!({
            "id": node.id, "type": (!node.type_name.is_empty()).then_some(&node.type_name), "label": node.label,
            "loop": node.loop_name, "module": node.module, "file": node.file, "line": node.line,
            "cluster": node.cluster, "absent": node.is_absent, "count": node.count,
        })
    });
    let id = |at: usize| graph.nodes.get(at).map(|node| node.id.as_str());
    let edges = graph.edges.iter().map(|edge| {
        let attributes: Vec<&str> = edge
            .kinds
            .iter()
            .filter_map(|kind| match kind {
                EdgeKind::GetAtt(name)
                | EdgeKind::Export(name)
                | EdgeKind::Stored(name)
                | EdgeKind::StackOutput(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let mut kinds: Vec<&str> = edge.kinds.iter().map(EdgeKind::name).collect();
        kinds.dedup();
        json!({
            "from": id(edge.from), "to": id(edge.to), "kinds": kinds, "attributes": attributes,
            "implied": edge.is_implied, "cycle": edge.is_cycle, "count": edge.count,
        })
    });
    let clusters = graph
        .clusters
        .iter()
        .map(|cluster| json!({"kind": cluster.kind.name(), "label": cluster.label, "parent": cluster.parent}));
    let object: Json = json!({
        "formwork_graph": 1,
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges.collect::<Vec<_>>(),
        "clusters": clusters.collect::<Vec<_>>(),
        "notes": graph.notes,
    });
    serde_json::to_string_pretty(&object).unwrap_or_default() + "\n"
}
