//! Builds the graph of a template.

use formwork_template::Section;
use formwork_template::side::{Enclosure, Member, Side};
use formwork_template::value::Value;
use rustc_hash::FxHashMap;

use crate::cycles;
use crate::model::{Cluster, ClusterKind, Edge, EdgeKind, Graph, Node, NodeKind};
use crate::uses::{self, Around, Use};

/// The kinds of nodes in a graph besides resources.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// Set if the graph has parameters.
    pub parameters: bool,
    /// Set if the graph has outputs.
    pub outputs: bool,
    /// Set if the graph has conditions.
    pub conditions: bool,
    /// Set if the graph has exports of other stacks.
    pub imports: bool,
}

/// Returns the file and line of an entry of a section.
pub type Locate<'p> = dyn Fn(Section, &str) -> Option<(String, u32)> + 'p;

/// A template with additional facts about its entries.
pub struct Template<'v, 't> {
    /// The entries of the template.
    pub side: &'v Side<'t>,
    /// Returns the file and line of an entry of a section.
    pub locate: &'v Locate<'v>,
    /// Returns `true` if the condition of a resource is false.
    pub is_absent: &'v dyn Fn(&str) -> bool,
    /// The templates of nested stacks to draw, by their logical IDs.
    pub nested: Vec<(&'v str, Template<'v, 't>)>,
}

impl std::fmt::Debug for Template<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Template").field("nested", &self.nested.len()).finish_non_exhaustive()
    }
}

impl Graph {
    /// Builds the graph of a template.
    pub fn of(template: &Template<'_, '_>, parts: Parts) -> Graph {
        let mut builder = Builder { graph: Graph::default(), parts, clusters: FxHashMap::default() };
        builder.add(template, "", None);
        let mut graph = builder.graph.tidy();
        cycles::mark(&mut graph);
        graph
    }
}

struct Builder {
    graph: Graph,
    parts: Parts,
    clusters: FxHashMap<(Option<usize>, ClusterKind, String), usize>,
}

impl Builder {
    fn add(&mut self, template: &Template<'_, '_>, prefix: &str, outer: Option<usize>) {
        let mut numbers: FxHashMap<(Section, String), usize> = FxHashMap::default();
        let sections = [
            (Section::Parameters, NodeKind::Parameter, self.parts.parameters),
            (Section::Conditions, NodeKind::Condition, self.parts.conditions),
            (Section::Resources, NodeKind::Resource, true),
            (Section::Outputs, NodeKind::Output, self.parts.outputs),
        ];
        for (section, kind, is_drawn) in sections {
            for member in template.side.members(section).iter().filter(|_| is_drawn) {
                let number = self.node(template, section, kind, member, (prefix, outer));
                numbers.insert((section, member.id.to_owned()), number);
            }
        }
        let mut imports: FxHashMap<String, usize> = FxHashMap::default();
        for (section, _, is_drawn) in sections {
            for member in template.side.members(section).iter().filter(|_| is_drawn) {
                let Some(&from) = numbers.get(&(section, member.id.to_owned())) else { continue };
                let mut found: Vec<Use<'_>> = Vec::new();
                uses_of(section, member, &mut |one| found.push(one));
                for Use { name, kind, is_certain } in found {
                    let to = match kind {
                        EdgeKind::Import if !self.parts.imports => None,
                        EdgeKind::Import => Some(self.import(name, &mut imports, (prefix, outer))),
                        EdgeKind::Condition => numbers.get(&(Section::Conditions, name.to_owned())).copied(),
                        _ => {
                            let get = |section| numbers.get(&(section, name.to_owned())).copied();
                            get(Section::Resources).or_else(|| get(Section::Parameters))
                        }
                    };
                    if let Some(to) = to {
                        self.edge((from, to), kind, is_certain);
                    }
                }
            }
        }
        for (id, nested) in &template.nested {
            let number = numbers.get(&(Section::Resources, (*id).to_owned()));
            let around =
                number.and_then(|&number| self.graph.nodes.get(number)).and_then(|node| node.cluster).or(outer);
            let cluster = self.cluster(around, ClusterKind::Stack, id);
            self.add(nested, &format!("{prefix}{id}/"), Some(cluster));
        }
    }

    fn cluster(&mut self, parent: Option<usize>, kind: ClusterKind, label: &str) -> usize {
        let clusters = &mut self.graph.clusters;
        *self.clusters.entry((parent, kind, label.to_owned())).or_insert_with(|| {
            clusters.push(Cluster { kind, label: label.to_owned(), parent });
            clusters.len() - 1
        })
    }

    fn node(
        &mut self,
        template: &Template<'_, '_>,
        section: Section,
        kind: NodeKind,
        member: &Member<'_>,
        (prefix, outer): (&str, Option<usize>),
    ) -> usize {
        let (mut cluster, mut loop_name, mut modules) = (outer, None, Vec::new());
        let is_resource = section == Section::Resources;
        if let Some(site) = member.site.as_deref().filter(|_| is_resource) {
            for enclosure in &site.around {
                let (kind, label) = match enclosure {
                    // Loops without a name of their own are labeled with the keys that they generate.
                    Enclosure::Loop(name) if name.starts_with("Fn::") => {
                        (ClusterKind::Loop, format!("{name} {}", site.key))
                    }
                    Enclosure::Loop(name) => (ClusterKind::Loop, name.clone()),
                    Enclosure::Module(name) => (ClusterKind::Module, name.clone()),
                };
                match kind {
                    ClusterKind::Module => modules.push(label.clone()),
                    _ => loop_name = Some(label.clone()),
                }
                cluster = Some(self.cluster(cluster, kind, &label));
            }
        }
        if let Some(owner) = member.owner.filter(|_| is_resource) {
            cluster = Some(self.cluster(cluster, ClusterKind::Serverless, owner));
        }
        let (file, line) = (template.locate)(section, member.id).unzip();
        let id = if is_resource {
            format!("{prefix}{}", member.id)
        } else {
            format!("{}.{prefix}{}", section.name(), member.id)
        };
        self.graph.nodes.push(Node {
            id,
            kind,
            type_name: if is_resource { member.kind().to_owned() } else { String::new() },
            label: member.id.to_owned(),
            loop_name,
            module: (!modules.is_empty()).then(|| modules.join(".")),
            key: member.site.as_deref().filter(|_| is_resource).map(|site| site.key.clone()),
            cluster,
            file,
            line,
            is_absent: is_resource && (template.is_absent)(member.id),
            count: 1,
        });
        self.graph.nodes.len() - 1
    }

    fn import(
        &mut self,
        name: &str,
        known: &mut FxHashMap<String, usize>,
        (prefix, outer): (&str, Option<usize>),
    ) -> usize {
        let nodes = &mut self.graph.nodes;
        *known.entry(name.to_owned()).or_insert_with(|| {
            nodes.push(Node {
                id: format!("Imports.{prefix}{name}"),
                kind: NodeKind::Import,
                type_name: String::new(),
                label: name.to_owned(),
                loop_name: None,
                module: None,
                key: None,
                cluster: outer,
                file: None,
                line: None,
                is_absent: false,
                count: 1,
            });
            nodes.len() - 1
        })
    }

    /// Adds an edge; parallel edges are merged into one with all their kinds.
    fn edge(&mut self, (from, to): (usize, usize), kind: EdgeKind, is_certain: bool) {
        let mut from_it = self.graph.edges.iter_mut().rev().take_while(|edge| edge.from == from);
        match from_it.find(|edge| edge.to == to) {
            Some(edge) => {
                edge.is_certain |= is_certain;
                if !edge.kinds.contains(&kind) {
                    edge.kinds.push(kind);
                }
            }
            None => self.graph.edges.push(Edge {
                from,
                to,
                kinds: vec![kind],
                is_certain,
                is_implied: false,
                is_cycle: false,
                count: 1,
            }),
        }
    }
}

fn uses_of<'t>(section: Section, member: &Member<'t>, found: &mut dyn FnMut(Use<'t>)) {
    let certain = Around { is_passed: false, is_certain: true };
    if !matches!(section, Section::Resources | Section::Outputs) {
        return uses::each(&member.value, certain, found);
    }
    let is_stack = member.kind() == "AWS::CloudFormation::Stack";
    let named = |name, kind| Use { name, kind, is_certain: true };
    for (name, value) in member.value.members() {
        match (*name, value) {
            ("Type", _) => {}
            ("Condition", value) => {
                if let Some(name) = value.text() {
                    found(named(name, EdgeKind::Condition));
                }
            }
            ("DependsOn", value) => {
                value
                    .elements()
                    .iter()
                    .filter_map(Value::text)
                    .for_each(|name| found(named(name, EdgeKind::DependsOn)));
            }
            ("Properties", Value::Map(properties)) if is_stack => {
                for (name, value) in properties {
                    uses::each(value, Around { is_passed: *name == "Parameters", ..certain }, found);
                }
            }
            ("Metadata", value) => uses::each(value, Around { is_certain: false, ..certain }, found),
            (_, value) => uses::each(value, certain, found),
        }
    }
}
