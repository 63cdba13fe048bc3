//! The sections of a file, and the declarations of their entries.

use formwork_syntax::{Entry, Kind, NodeId, function, symbol};
use formwork_template::Section;

use crate::names::Names;
use crate::symbol::SymbolKind;
use crate::walk::{Walk, is_spliced};

impl Walk<'_> {
    pub(crate) fn run(mut self, root: NodeId) -> Names {
        let tree = self.tree();
        if tree.kind(root) != Kind::Map {
            self.value(root);
            return self.names.finish();
        }
        if let Some(modules) = tree.get_text(root, "Modules") {
            self.find_imports(modules, None);
        }
        for entry in tree.entries(root) {
            self.section(entry);
        }
        self.names.finish()
    }

    fn section(&mut self, entry: Entry) {
        let tree = self.tree();
        let declaration = self.declare_entry(SymbolKind::Section, entry);
        let name = tree.text(entry.key);
        let section = Section::from_symbol(tree.symbol(entry.key));
        let kind = match (section, name) {
            (Some(Section::Parameters), _) => Some(SymbolKind::Parameter),
            (Some(Section::Rules), _) => Some(SymbolKind::Rule),
            (Some(Section::Mappings), _) => Some(SymbolKind::Mapping),
            (Some(Section::Conditions), _) => Some(SymbolKind::Condition),
            (Some(Section::Resources), _) => Some(SymbolKind::Resource),
            (Some(Section::Outputs), _) => Some(SymbolKind::Output),
            (_, "Constants") => Some(SymbolKind::Constant),
            (_, "Packages") => Some(SymbolKind::Package),
            (_, "Modules") => Some(SymbolKind::Import),
            _ => None,
        };
        self.within(declaration, |walk| match kind {
            Some(kind) if tree.kind(entry.value) == Kind::Map => walk.declarations(kind, entry.value),
            _ => walk.value(entry.value),
        });
    }

    /// Visits entries of a section, and those that loops generate.
    fn declarations(&mut self, kind: SymbolKind, map: NodeId) {
        let tree = self.tree();
        for entry in tree.entries(map) {
            if function::loop_name(tree.text(entry.key)).is_some() {
                self.for_each(entry, |walk, fragment| walk.declarations(kind, fragment));
            } else if is_spliced(tree.text(entry.key)) {
                self.value(entry.value);
            } else {
                self.declaration(kind, entry);
            }
        }
        // A fragment that is a call, such as `Fn::Merge`.
        if tree.kind(map) == Kind::Call {
            self.value(map);
        }
    }

    fn declaration(&mut self, kind: SymbolKind, entry: Entry) {
        let tree = self.tree();
        let declared = self.declare_entry(kind, entry);
        let kind_of = tree.get(entry.value, symbol::TYPE).and_then(|kind| tree.string(kind));
        match kind {
            SymbolKind::Import => self.within(declared, |walk| walk.import_body(entry, declared)),
            SymbolKind::Parameter => self.names.declarations[declared].detail = kind_of.map(str::to_owned),
            SymbolKind::Package => {
                let source = tree.get_text(entry.value, "Source").and_then(|source| tree.string(source));
                self.names.declarations[declared].detail = source.map(str::to_owned);
            }
            SymbolKind::Constant => self.within(declared, |walk| walk.constant(entry.value)),
            SymbolKind::Resource | SymbolKind::Output => {
                self.names.declarations[declared].detail = kind_of.map(str::to_owned);
                self.within(declared, |walk| walk.attributes(entry));
            }
            _ => self.within(declared, |walk| walk.value(entry.value)),
        }
    }
}
