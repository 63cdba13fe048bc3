//! Nodes, edges and clusters.

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeKind {
    /// A resource.
    Resource,
    /// A parameter.
    Parameter,
    /// A condition.
    Condition,
    /// An output.
    Output,
    /// The export of another stack.
    Import,
    /// Several nodes that are drawn as one.
    Group,
}

/// The kind of a use of another node.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EdgeKind {
    /// `Ref`.
    Ref,
    /// `Fn::GetAtt` of this attribute.
    GetAtt(String),
    /// A placeholder of `Fn::Sub`.
    Sub,
    /// `DependsOn`.
    DependsOn,
    /// A condition.
    Condition,
    /// `Fn::ImportValue`.
    Import,
    /// A parameter of a nested stack.
    Nested,
    /// An export of another stack that a stack imports, by its name.
    Export(String),
    /// An output of a stack that `Fn::GetStackOutput` reads, as `STACK.OUTPUT`.
    StackOutput(String),
    /// A parameter of the parameter store that another stack writes, by its name.
    Stored(String),
}

impl EdgeKind {
    /// Returns the name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            EdgeKind::Ref => "ref",
            EdgeKind::GetAtt(_) => "getatt",
            EdgeKind::Sub => "sub",
            EdgeKind::DependsOn => "depends-on",
            EdgeKind::Condition => "condition",
            EdgeKind::Import => "import",
            EdgeKind::Nested => "nested",
            EdgeKind::Export(_) => "export",
            EdgeKind::StackOutput(_) => "stack-output",
            EdgeKind::Stored(_) => "stored",
        }
    }
}

/// A node, drawn as a box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The logical ID, with those of the nested stacks in front of it; with the section in front outside of Resources.
    pub id: String,
    /// The kind of the node.
    pub kind: NodeKind,
    /// The type of a resource; empty otherwise.
    pub type_name: String,
    /// The label in the box.
    pub label: String,
    /// The innermost loop that generated it.
    pub loop_name: Option<String>,
    /// The module that generated it: the names of the uses, outermost first, with dots.
    pub module: Option<String>,
    /// The key of the loop body that it was generated from.
    pub key: Option<String>,
    /// The index of the cluster that contains it.
    pub cluster: Option<usize>,
    /// The file, relative to the directory of the template.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// Set if its condition is false.
    pub is_absent: bool,
    /// Number of nodes that it represents.
    pub count: usize,
}

/// An edge from the user to the used node, drawn as an arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The index of the user.
    pub from: usize,
    /// The index of the used node.
    pub to: usize,
    /// The kinds of the uses, sorted and without duplicates.
    pub kinds: Vec<EdgeKind>,
    /// Set if the edge does not depend on conditions, and is part of the deployment: not in metadata.
    pub is_certain: bool,
    /// Set for a `DependsOn` that other edges imply.
    pub is_implied: bool,
    /// Set if the edge is part of a cycle.
    pub is_cycle: bool,
    /// Number of edges that it represents.
    pub count: usize,
}

impl Edge {
    /// Returns `true` for an edge that does not keep the used node from a change.
    pub fn is_weak(&self) -> bool {
        self.is_only_order()
            || self.kinds.iter().all(|kind| matches!(kind, EdgeKind::Stored(_) | EdgeKind::StackOutput(_)))
    }

    /// Returns `true` for a `DependsOn` without other kinds of uses.
    pub fn is_only_order(&self) -> bool {
        self.kinds.iter().all(|kind| *kind == EdgeKind::DependsOn)
    }
}

/// The kind of a cluster.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ClusterKind {
    /// A loop.
    Loop,
    /// A use of a module.
    Module,
    /// A nested stack.
    Stack,
    /// What the serverless transform makes of a resource.
    Serverless,
}

impl ClusterKind {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ClusterKind::Loop => "loop",
            ClusterKind::Module => "module",
            ClusterKind::Stack => "stack",
            ClusterKind::Serverless => "serverless",
        }
    }
}

/// A frame around nodes and other clusters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// The kind of the cluster.
    pub kind: ClusterKind,
    /// The name of the loop, the use of a module, the nested stack, or the resource.
    pub label: String,
    /// The index of the cluster around it.
    pub parent: Option<usize>,
}

/// A graph. Nodes are in the order of the document, edges in that of their users.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<Edge>,
    /// The clusters, each behind the one around it.
    pub clusters: Vec<Cluster>,
    /// Notes about omitted and collapsed nodes.
    pub notes: Vec<String>,
}

impl Graph {
    /// Returns the indexes of the clusters around a node, innermost first.
    pub fn around(&self, cluster: Option<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = cluster;
        while let Some(number) = at {
            found.push(number);
            at = self.clusters.get(number).and_then(|cluster| cluster.parent);
        }
        found
    }

    /// Removes clusters without nodes, and loops that have one node only.
    #[must_use]
    pub fn tidy(mut self) -> Graph {
        let mut counts = vec![0_usize; self.clusters.len()];
        for node in &self.nodes {
            for at in self.around(node.cluster) {
                if let Some(count) = counts.get_mut(at) {
                    *count += 1;
                }
            }
        }
        let keeps = |at: usize| {
            let count = counts.get(at).copied().unwrap_or(0);
            let is_loop = self.clusters.get(at).is_some_and(|cluster| cluster.kind == ClusterKind::Loop);
            count > usize::from(is_loop)
        };
        let kept: Vec<usize> = (0..self.clusters.len()).filter(|&at| keeps(at)).collect();
        let renumber =
            |cluster: Option<usize>| self.around(cluster).into_iter().find_map(|at| kept.binary_search(&at).ok());
        let of_nodes: Vec<Option<usize>> = self.nodes.iter().map(|node| renumber(node.cluster)).collect();
        let clusters = kept.iter().filter_map(|&at| {
            let cluster = self.clusters.get(at)?;
            Some(Cluster { parent: renumber(cluster.parent), ..cluster.clone() })
        });
        let clusters: Vec<Cluster> = clusters.collect();
        for (node, cluster) in self.nodes.iter_mut().zip(of_nodes) {
            node.cluster = cluster;
        }
        self.clusters = clusters;
        self
    }
}
