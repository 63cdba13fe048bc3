//! What a template has in common with others: names that it exports and imports (reference/repository.md#links).

mod names;

use formwork_base::Span;
use formwork_repository::{Export, Import, Kind, Name, Template as Linked};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind as NodeKind, NodeId, Tree, View, symbol};
use formwork_template::{PseudoParameter, Section};

use crate::compilation::{Compilation, Replayable};
use names::Names;

/// The most names of a template that are collected.
const MOST: usize = 10_000;

/// The type of a resource that writes a parameter of the parameter store.
const STORED: &str = "AWS::SSM::Parameter";

impl Compilation {
    /// Returns what the template has in common with others, as far as its names are known with the values of the run.
    /// `pseudo` are values of pseudo parameters. The Default of a parameter is not taken for its value: a deployment may
    /// pass another one.
    pub fn links(&self, pseudo: &[(PseudoParameter, String)]) -> Linked {
        let known = |wanted| pseudo.iter().rev().find(|(name, _)| *name == wanted).map(|(_, value)| value.clone());
        let mut linked = Linked {
            path: self.sources.shown(self.path()),
            stack: known(PseudoParameter::StackName),
            region: known(PseudoParameter::Region),
            ..Linked::default()
        };
        let Some(replay) = &self.replay else { return linked };
        let mut collector =
            Collector { compilation: self, names: Names::new(self, replay, pseudo), linked: &mut linked };
        collector.read_sections(replay);
        linked.resources.sort_unstable();
        linked
    }
}

struct Collector<'c> {
    compilation: &'c Compilation,
    names: Names<'c>,
    linked: &'c mut Linked,
}

impl Collector<'_> {
    fn read_sections(&mut self, replay: &Replayable) {
        let tree = &self.compilation.tree;
        let root = replay.deployed();
        for entry in section(tree, root, Section::Outputs) {
            let name = tree.get(entry.value, symbol::EXPORT).and_then(|export| tree.get_text(export, "Name"));
            if let Some(name) = name {
                let is_conditional = tree.get(entry.value, symbol::CONDITION).is_some();
                self.export(Kind::Export, name, tree.text(entry.key), is_conditional);
            }
        }
        for entry in section(tree, root, Section::Resources) {
            let id = tree.text(entry.key);
            self.linked.resources.push(id.to_owned());
            let kind = tree.get(entry.value, symbol::TYPE).and_then(|node| tree.string(node));
            let name = tree.get(entry.value, symbol::PROPERTIES).and_then(|own| tree.get_text(own, "Name"));
            if let Some(name) = name.filter(|_| kind == Some(STORED)) {
                let is_conditional = tree.get(entry.value, symbol::CONDITION).is_some();
                self.export(Kind::Stored, name, id, is_conditional);
            }
        }
        for wanted in [Section::Conditions, Section::Resources, Section::Outputs] {
            for entry in section(tree, root, wanted) {
                self.imports(entry.value);
            }
        }
    }

    fn export(&mut self, kind: Kind, node: NodeId, owner: &str, is_conditional: bool) {
        if let Some(name) = self.names.of(node).filter(|name| !name.parts().is_empty())
            && self.linked.exports.len() < MOST
        {
            let (span, file, line) = self.place(node);
            self.linked.exports.push(Export { kind, name, owner: owner.to_owned(), span, file, line, is_conditional });
        }
    }

    fn import(&mut self, kind: Kind, name: Name, node: NodeId) {
        if name.known_length() > 0 && self.linked.imports.len() < MOST {
            let (span, file, line) = self.place(node);
            self.linked.imports.push(Import { kind, name, span, file, line });
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
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            match tree.view(node) {
                View::Call(Function::Known(Known::ImportValue), argument) => {
                    if let Some(name) = self.names.of(argument) {
                        self.import(Kind::Export, name, argument);
                    }
                }
                View::Call(_, argument) => open.push(argument),
                View::List(items) => open.extend(items.iter().rev()),
                View::Map => open.extend(tree.entries(node).map(|entry| entry.value).rev()),
                View::String(text) => {
                    for name in stored_names(text) {
                        self.import(Kind::Stored, Name::known(name), node);
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
        (!name.is_empty() && !name.contains("${") && !name.starts_with("/aws/service/")).then_some(name)
    })
}

fn section(tree: &Tree, root: NodeId, section: Section) -> impl DoubleEndedIterator<Item = formwork_syntax::Entry> {
    let found = tree.get(root, section.symbol()).filter(|&node| tree.kind(node) == NodeKind::Map);
    found.into_iter().flat_map(|node| tree.entries(node).collect::<Vec<_>>())
}
