//! Draws several nodes as one.

use rustc_hash::FxHashMap;

use crate::model::{ClusterKind, Edge, Graph, Node, NodeKind};

/// The nodes to draw as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collapse {
    /// None: every node is drawn.
    None,
    /// The copies of each body of a loop.
    Loops,
    /// Each use of a module.
    Modules,
    /// What the serverless transform makes of each resource.
    Serverless,
    /// What the serverless transform makes of each resource and loops above 60 nodes, modules above 150, the resources of a service above 300.
    Auto,
}

/// Numbers of nodes above which loops, modules and services are drawn as one.
const BOUNDS: [(usize, Level); 4] =
    [(60, Level::Serverless), (60, Level::Loops), (150, Level::Modules), (300, Level::Services)];

/// The kind of nodes that are drawn as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// What the serverless transform makes of a resource.
    Serverless,
    /// The copies of the same loop body.
    Loops,
    /// The uses of modules.
    Modules,
    /// The resources of a service.
    Services,
}

impl Collapse {
    /// Returns the collapsed graph; a note lists what was drawn as one and how to show it.
    pub fn apply(self, graph: Graph) -> Graph {
        match self {
            Collapse::None => graph,
            Collapse::Loops => collapsed(&graph, Level::Loops),
            Collapse::Modules => collapsed(&graph, Level::Modules),
            Collapse::Serverless => collapsed(&graph, Level::Serverless),
            Collapse::Auto => {
                BOUNDS.into_iter().fold(
                    graph,
                    |graph, (bound, level)| {
                        if graph.nodes.len() > bound { collapsed(&graph, level) } else { graph }
                    },
                )
            }
        }
    }
}

/// Returns the group of a node: its key, its label, and the cluster of the result.
fn group(graph: &Graph, node: &Node, level: Level) -> Option<(String, String, Option<usize>)> {
    let around = graph.around(node.cluster);
    let kind = |at: &usize| graph.clusters.get(*at).map(|cluster| cluster.kind);
    match level {
        Level::Serverless => {
            let at = *around.iter().find(|at| kind(at) == Some(ClusterKind::Serverless))?;
            let cluster = graph.clusters.get(at)?;
            Some((format!("serverless {at}"), cluster.label.clone(), cluster.parent))
        }
        Level::Loops => {
            let key = node.key.as_ref()?;
            // Every loop around it is drawn as one.
            let at = *around.iter().rfind(|at| kind(at) == Some(ClusterKind::Loop))?;
            let parent = graph.clusters.get(at).and_then(|cluster| cluster.parent);
            Some((format!("{at}/{key}/{}", node.type_name), key.clone(), parent))
        }
        Level::Modules => {
            let at = *around.iter().rfind(|at| kind(at) == Some(ClusterKind::Module))?;
            let cluster = graph.clusters.get(at)?;
            Some((format!("module {at}"), format!("module {}", cluster.label), cluster.parent))
        }
        Level::Services => {
            let mut parts = node.type_name.split("::");
            let service = format!("{}::{}", parts.next()?, parts.next()?);
            Some((service.clone(), service, None))
        }
    }
}

/// Returns the graph with each group as one node.
pub fn collapsed(graph: &Graph, level: Level) -> Graph {
    let mut sizes: FxHashMap<String, usize> = FxHashMap::default();
    for node in &graph.nodes {
        if let Some((key, ..)) = group(graph, node, level) {
            *sizes.entry(key).or_default() += node.count;
        }
    }
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut nodes: Vec<Node> = Vec::new();
    let mut of_node = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let found = group(graph, node, level).filter(|(key, ..)| sizes.get(key).is_some_and(|&size| size > 1));
        let Some((key, label, cluster)) = found else {
            of_node.push(nodes.len());
            nodes.push(node.clone());
            continue;
        };
        let size = sizes.get(&key).copied().unwrap_or(1);
        let number = *numbers.entry(key).or_insert_with(|| {
            let label = format!("{label} x {size}");
            let same_type = level == Level::Loops;
            nodes.push(Node {
                id: label.clone(),
                kind: NodeKind::Group,
                type_name: if same_type { node.type_name.clone() } else { String::new() },
                label,
                key: None,
                cluster,
                count: size,
                ..node.clone()
            });
            nodes.len() - 1
        });
        of_node.push(number);
    }
    let mut edges: Vec<Edge> = Vec::new();
    let mut known: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for edge in &graph.edges {
        let (Some(&from), Some(&to)) = (of_node.get(edge.from), of_node.get(edge.to)) else { continue };
        if from == to && edge.from != edge.to {
            continue;
        }
        let Some(one) = known.get(&(from, to)).and_then(|&at| edges.get_mut(at)) else {
            known.insert((from, to), edges.len());
            edges.push(Edge { from, to, ..edge.clone() });
            continue;
        };
        one.count += edge.count;
        one.is_cycle |= edge.is_cycle;
        one.is_implied &= edge.is_implied;
        for kind in &edge.kinds {
            if !one.kinds.contains(kind) {
                one.kinds.push(kind.clone());
            }
        }
    }
    let mut notes = graph.notes.clone();
    let folded = graph.nodes.len() - nodes.len();
    if folded > 0 {
        let what = match level {
            Level::Serverless => "what the serverless transform makes of a resource is drawn as one box",
            Level::Loops => "the copies of loops are drawn as one box",
            Level::Modules => "each use of a module is drawn as one box",
            Level::Services => "the resources of a service are drawn as one box",
        };
        notes.push(format!(
            "{what}: {} boxes instead of {}; `--collapse none` draws all",
            nodes.len(),
            graph.nodes.len()
        ));
    }
    Graph { nodes, edges, clusters: graph.clusters.clone(), notes }.tidy()
}
