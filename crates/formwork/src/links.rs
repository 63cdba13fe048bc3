//! What a template has in common with others: names that it exports and imports (reference/repository.md#links).

mod names;

use formwork_base::{Diagnostic, Severity, Span, suggest};
use formwork_provenance::Step;
use formwork_repository::{Export, Import, Kind, Name, Template as Linked, WrongValue};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind as NodeKind, NodeId, Tree, View, symbol};
use formwork_template::{PseudoParameter, Section};

use rustc_hash::FxHashSet;

use crate::compilation::{Compilation, Replayable};
use names::Names;

/// The most names of a template that are collected.
const MOST: usize = 10_000;

/// The most unknown parameters for which a similar name is searched.
const MOST_NEAR: usize = 100;

/// The type of a resource that writes a parameter of the parameter store.
const STORED: &str = "AWS::SSM::Parameter";

impl Compilation {
    /// Returns what the template has in common with others, as far as its names are known with the values of the run.
    /// `pseudo` are values of pseudo parameters. The Default of a parameter is not taken for its value: a deployment may
    /// pass another one.
    pub fn links(&self, pseudo: &[(PseudoParameter, String)]) -> Linked {
        let hides = |found: &Diagnostic| found.severity == Severity::Error && found.code.hides_parts();
        let known = |wanted| pseudo.iter().rev().find(|(name, _)| *name == wanted).map(|(_, value)| value.clone());
        let mut linked = Linked {
            path: self.sources.shown(self.path()),
            stack: known(PseudoParameter::StackName),
            region: known(PseudoParameter::Region),
            account: known(PseudoParameter::AccountId),
            is_broken: self.replay.is_none() || self.diagnostics().iter().any(hides),
            ..Linked::default()
        };
        let Some(replay) = &self.replay else { return linked };
        let mut collector = Collector {
            compilation: self,
            names: Names::new(self, replay, pseudo),
            linked: &mut linked,
            is_joined: false,
        };
        collector.read_sections(replay);
        linked.resources.sort_unstable();
        linked
    }
}

impl Compilation {
    /// Returns the imports at a path of the output and below it, as far as their names are known.
    pub fn imports_at(&self, path: &[Step], pseudo: &[(PseudoParameter, String)]) -> Vec<Import> {
        let (mut linked, Some(replay)) = (Linked::default(), &self.replay) else { return Vec::new() };
        let node = path.iter().try_fold(self.root, |node, step| match (step, self.tree.view(node)) {
            (Step::Name(name), View::Map) => self.tree.get_text(node, name),
            (Step::Name(_), View::Call(_, argument)) => Some(argument),
            (Step::Index(at), View::List(items)) => items.get(*at).copied(),
            _ => None,
        });
        let names = Names::new(self, replay, pseudo);
        let mut collector = Collector { compilation: self, names, linked: &mut linked, is_joined: false };
        if let Some(node) = node {
            collector.imports(node);
        }
        linked.imports
    }

    /// Removes exports that are not in the resolved template: their condition is false.
    pub fn keep_present(&self, linked: &mut Linked) {
        let (tree, root) = (&self.tree, self.root);
        let ids = |wanted| section(tree, root, wanted).map(|entry| tree.text(entry.key)).collect::<FxHashSet<_>>();
        let (outputs, resources) = (ids(Section::Outputs), ids(Section::Resources));
        linked.exports.retain(|export| {
            let owners = if export.kind == Kind::Stored { &resources } else { &outputs };
            owners.contains(export.owner.as_str())
        });
        linked.exports.iter_mut().for_each(|export| export.is_conditional = false);
    }

    /// Returns the errors in the values of a stack, which `source` configures: those that the template does not
    /// declare, and required parameters without one.
    pub fn wrong_values<'n>(&self, names: impl Iterator<Item = &'n str>, source: &str) -> Vec<WrongValue> {
        let tree = &self.tree;
        let declared = self.declared_parameters();
        let section = tree.get(self.root, Section::Parameters.symbol()).unwrap_or(self.root);
        let wrong = |parameter: &str, missing: Option<NodeId>, near: Option<&str>| WrongValue {
            parameter: parameter.to_owned(),
            source: source.to_owned(),
            missing: missing.map(|key| tree.span(key)),
            span: tree.span(section),
            near: near.map(str::to_owned),
        };
        let known: FxHashSet<&str> = declared.iter().map(|one| one.name.as_str()).collect();
        let unknown = names.filter(|name| !known.contains(name)).enumerate();
        let mut found: Vec<WrongValue> = unknown
            .map(|(at, name)| {
                let names = || declared.iter().map(|one| one.name.as_str());
                let near = (at < MOST_NEAR).then(|| suggest::nearest(name, names())).flatten();
                wrong(name, None, near)
            })
            .collect();
        let lacks = self.template.parameters.iter().zip(&declared);
        let lacks = lacks.filter(|(_, declared)| !declared.has_default && declared.given.is_none());
        found.extend(lacks.map(|(parameter, declared)| wrong(&declared.name, Some(parameter.key), None)));
        found
    }
}

struct Collector<'c> {
    compilation: &'c Compilation,
    names: Names<'c>,
    linked: &'c mut Linked,
    /// Set while the value of an export is a joined list.
    is_joined: bool,
}

impl Collector<'_> {
    fn read_sections(&mut self, replay: &Replayable) {
        let tree = &self.compilation.tree;
        let root = replay.deployed();
        for entry in section(tree, root, Section::Outputs) {
            let name = tree.get(entry.value, symbol::EXPORT).and_then(|export| tree.get_text(export, "Name"));
            self.is_joined = tree.get(entry.value, symbol::VALUE).is_some_and(|value| is_joined(tree, value));
            if let Some(name) = name {
                let is_conditional = tree.get(entry.value, symbol::CONDITION).is_some();
                let value = tree.get(entry.value, symbol::VALUE);
                self.export(Kind::Export, (name, value), tree.text(entry.key), is_conditional);
            }
            if let Some(stack) = self.linked.stack.clone() {
                let (owner, is_conditional) =
                    (tree.text(entry.key), tree.get(entry.value, symbol::CONDITION).is_some());
                let name = Name::known(&format!("{stack}.{owner}"));
                let value = tree.get(entry.value, symbol::VALUE);
                self.push_export(Kind::Output, name, (owner, entry.value, value), is_conditional);
            }
        }
        self.is_joined = false;
        for entry in section(tree, root, Section::Resources) {
            let id = tree.text(entry.key);
            self.linked.resources.push(id.to_owned());
            let kind = tree.get(entry.value, symbol::TYPE).and_then(|node| tree.string(node));
            let name = tree.get(entry.value, symbol::PROPERTIES).and_then(|own| tree.get_text(own, "Name"));
            if let Some(name) = name.filter(|_| kind == Some(STORED)) {
                let is_conditional = tree.get(entry.value, symbol::CONDITION).is_some();
                let value = tree.get(entry.value, symbol::PROPERTIES).and_then(|own| tree.get_text(own, "Value"));
                self.export(Kind::Stored, (name, value), id, is_conditional);
            }
        }
        self.stored_parameters();
        for wanted in [Section::Conditions, Section::Resources, Section::Outputs] {
            for entry in section(tree, root, wanted) {
                self.imports(entry.value);
            }
        }
    }

    fn export(&mut self, kind: Kind, (node, value): (NodeId, Option<NodeId>), owner: &str, is_conditional: bool) {
        if let Some(name) = self.names.of(node).filter(|name| !name.parts().is_empty()) {
            self.push_export(kind, name, (owner, node, value), is_conditional);
        }
    }

    fn push_export(
        &mut self,
        kind: Kind,
        name: Name,
        (owner, node, value): (&str, NodeId, Option<NodeId>),
        is_conditional: bool,
    ) {
        if self.linked.exports.len() < MOST {
            let (span, file, line) = self.place(node);
            let owner = owner.to_owned();
            let (is_joined, tree) = (self.is_joined, &self.compilation.tree);
            let json = |node| serde_json::to_string(&formwork_syntax::Value::new(tree, node)).unwrap_or_default();
            let value = value.map(json).unwrap_or_default();
            self.linked.exports.push(Export { kind, name, owner, value, span, file, line, is_conditional, is_joined });
        }
    }

    /// Adds the output of a stack with a known name that `Fn::GetStackOutput` reads in the own Region.
    fn stack_output(&mut self, argument: NodeId) {
        let tree = &self.compilation.tree;
        let (Some(stack), Some(output)) = (tree.get_text(argument, "StackName"), tree.get_text(argument, "OutputName"))
        else {
            return;
        };
        // Another Region or account: its stacks are not those of this one.
        if ["Region", "RoleArn"].iter().any(|key| tree.get_text(argument, key).is_some()) {
            return;
        }
        let (Some(mut name), Some(output)) = (self.names.of(stack), self.names.of(output)) else { return };
        name.push_text(".");
        name.append(output);
        if name.text().is_some() {
            self.import(Kind::Output, name, argument, false);
        }
    }

    /// Adds the names of stored parameters that parameters of the template read: the value that was passed, or else the
    /// Default.
    fn stored_parameters(&mut self) {
        let tree = &self.compilation.tree;
        for parameter in &self.compilation.template.parameters {
            let is_stored = tree
                .get_text(parameter.node, "Type")
                .and_then(|node| tree.string(node))
                .is_some_and(|name| name.starts_with("AWS::SSM::Parameter::"));
            let passed = self.names.passed(tree.name(parameter.name)).or(parameter.default);
            let Some(node) = passed.filter(|_| is_stored) else { continue };
            let Some(name) = tree.string(node).filter(|name| is_stored_name(name)) else { continue };
            self.import(Kind::Stored, Name::known(name), parameter.default.unwrap_or(node), false);
        }
    }

    fn import(&mut self, kind: Kind, name: Name, node: NodeId, is_item: bool) {
        if name.known_length() > 0 && self.linked.imports.len() < MOST {
            let (span, file, line) = self.place(node);
            self.linked.imports.push(Import { kind, name, span, file, line, is_item });
        }
    }

    fn place(&self, node: NodeId) -> (Span, String, u32) {
        let (span, sources) = (self.compilation.tree.span(node), &self.compilation.sources);
        match sources.place(span) {
            Some(place) => (span, sources.display(place.file).to_owned(), place.line),
            None => (span, self.linked.path.clone(), 0),
        }
    }

    /// Collects the imports below a node.
    fn imports(&mut self, node: NodeId) {
        let tree = &self.compilation.tree;
        let mut open = vec![(node, false)];
        while let Some((node, is_item)) = open.pop() {
            match tree.view(node) {
                View::Call(Function::Known(Known::ImportValue), argument) => {
                    if let Some(name) = self.names.of(argument) {
                        self.import(Kind::Export, name, argument, is_item);
                    }
                }
                View::Call(Function::Known(Known::GetStackOutput), argument) => {
                    self.stack_output(argument);
                    open.push((argument, false));
                }
                // Items of an argument are not those of a property.
                View::Call(_, argument) => match tree.view(argument) {
                    View::List(items) => open.extend(items.iter().rev().map(|&item| (item, false))),
                    _ => open.push((argument, false)),
                },
                View::List(items) => open.extend(items.iter().rev().map(|&item| (item, true))),
                View::Map => open.extend(tree.entries(node).map(|entry| (entry.value, false)).rev()),
                View::String(text) => {
                    for name in stored_names(text) {
                        self.import(Kind::Stored, Name::known(name), node, false);
                    }
                }
                View::Null | View::Bool(_) | View::Number(_) => {}
            }
        }
    }
}

/// Returns the names of parameters of the store that dynamic references in a string read, without those that AWS has and
/// those of secure strings, which no template writes.
fn stored_names(text: &str) -> impl Iterator<Item = &str> {
    text.split("{{resolve:ssm:").skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once("}}")?;
        let name = inside.split(':').next().unwrap_or_default();
        is_stored_name(name).then_some(name)
    })
}

/// Whether a value joins a list of several items, or one of an unknown number, with commas.
fn is_joined(tree: &Tree, value: NodeId) -> bool {
    let View::Call(Function::Known(Known::Join), argument) = tree.view(value) else { return false };
    let [delimiter, items] = tree.items(argument) else { return false };
    let is_list = match tree.view(*items) {
        View::List(items) => items.len() > 1,
        View::Call(..) => true,
        _ => false,
    };
    is_list && tree.string(*delimiter).is_some_and(|delimiter| delimiter.trim() == ",")
}

fn is_stored_name(name: &str) -> bool {
    !name.is_empty() && !name.contains("${") && !name.starts_with("/aws/service/")
}

fn section(tree: &Tree, root: NodeId, section: Section) -> impl DoubleEndedIterator<Item = formwork_syntax::Entry> {
    let found = tree.get(root, section.symbol()).filter(|&node| tree.kind(node) == NodeKind::Map);
    found.into_iter().flat_map(|node| tree.entries(node).collect::<Vec<_>>())
}
