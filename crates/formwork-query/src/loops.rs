//! Loops around a place.

use formwork_base::FileRange;
use formwork_syntax::{Entry, NodeId, function, symbol};
use serde::Serialize;

use crate::names::{Expects, LoopDeclaration, LoopKind, TextRange, touches};
use crate::project::Project;
use crate::symbol::SymbolKind;
use crate::walk::{SHORTHAND, Walk};

/// A loop around a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct EnclosingLoop {
    /// How it is written.
    pub kind: LoopKind,
    /// The name of the loop, when it has one.
    pub name: Option<String>,
    /// The variables of the loop.
    pub variables: Vec<String>,
    /// The key or function that declares the loop; with the attribute `ForEach` the key of the import or resource.
    pub declared: FileRange,
    /// The collection of the loop.
    pub collection: Option<FileRange>,
    /// The collection as it is written.
    pub collection_text: String,
    /// The items of its iterations in the last expansion, in order and each once; none without an expansion. A list
    /// or an object is left out.
    pub items: Vec<String>,
}

impl<'i> Walk<'i> {
    /// An `Fn::ForEach` (reference/for-each.md#layout); `body` walks its fragment.
    pub(crate) fn for_each(&mut self, entry: Entry, body: impl FnOnce(&mut Walk<'i>, NodeId)) {
        let tree = self.tree();
        let name = function::loop_name(tree.text(entry.key)).unwrap_or_default();
        let range = self.entry_range(entry);
        let declaration = self.declare(SymbolKind::Loop, name, entry.key, range);
        let &[variable, collection, fragment] = tree.items(entry.value) else {
            return self.value(entry.value);
        };
        let scope = vec![self.range(fragment)];
        let variable_name = tree.text(variable).to_owned();
        let declared = self.declare(SymbolKind::LoopVariable, &variable_name, variable, self.range(variable));
        self.names.declarations[declared].scopes = Some(scope.clone());
        self.names.loops.push(LoopDeclaration {
            kind: LoopKind::ForEach,
            name: Some(name.to_owned()),
            variables: vec![variable_name],
            site: self.range(entry.key),
            collection: Some(self.range(collection)),
            body: scope,
        });
        self.value(collection);
        self.within(declaration, |walk| body(walk, fragment));
    }

    /// An `Fn::Map` (reference/map-and-merge.md#map-members).
    pub(crate) fn map(&mut self, node: NodeId, argument: NodeId) {
        let tree = self.tree();
        let member = |name: &str| tree.get_text(argument, name);
        let parts = [member("Key"), member("Fragment")];
        let scope: Vec<TextRange> = parts.into_iter().flatten().map(|part| self.range(part)).collect();
        let mut variables = Vec::new();
        for name in ["Index", "Value"] {
            let explicit = member(name).filter(|&node| tree.is_scalar(node));
            let text = explicit.map_or(name, |node| tree.text(node)).to_owned();
            let place = explicit.unwrap_or_else(|| tree.call_name(node));
            let declared = self.declare(SymbolKind::LoopVariable, &text, place, self.range(place));
            self.names.declarations[declared].scopes = Some(scope.clone());
            variables.push(text);
        }
        let collection = member("Collection");
        self.names.loops.push(LoopDeclaration {
            kind: LoopKind::Map,
            name: None,
            variables,
            site: self.range(tree.call_name(node)),
            collection: collection.map(|node| self.range(node)),
            body: scope,
        });
        for part in collection.into_iter().chain(parts.into_iter().flatten()) {
            self.value(part);
        }
    }

    /// The attribute `ForEach` of the import or resource `body` (reference/modules/copies.md#foreach).
    pub(crate) fn attribute_loop(&mut self, entry: Entry, owner: Entry) {
        let (name, body) = (self.tree().text(owner.key), owner.value);
        let scope = vec![self.range(body)];
        for variable in SHORTHAND {
            let declared = self.declare(SymbolKind::LoopVariable, variable, entry.key, self.range(entry.key));
            self.names.declarations[declared].scopes = Some(scope.clone());
        }
        self.names.loops.push(LoopDeclaration {
            kind: LoopKind::Attribute,
            name: Some(name.to_owned()),
            variables: SHORTHAND.map(str::to_owned).to_vec(),
            site: self.range(owner.key),
            collection: Some(self.range(entry.value)),
            body: scope,
        });
        self.value(entry.value);
    }

    /// The attributes of a resource or output, or of an override.
    pub(crate) fn attributes(&mut self, owner: Entry) {
        let (tree, body) = (self.tree(), owner.value);
        if tree.is_alias(body) {
            return;
        }
        let for_each = tree.entries(body).find(|entry| tree.text(entry.key) == "ForEach");
        if let Some(entry) = for_each {
            self.attribute_loop(entry, owner);
        }
        self.shorthand += usize::from(for_each.is_some());
        for entry in tree.entries(body) {
            let key = tree.symbol(entry.key);
            if key == symbol::CONDITION && tree.is_scalar(entry.value) {
                self.push_text(entry.value, Expects::Condition);
            } else if tree.text(entry.key) == "DependsOn" {
                self.depends_on(entry.value);
            } else if for_each.is_none_or(|known| known.key != entry.key) {
                self.value(entry.value);
            }
        }
        if tree.entries(body).len() == 0 {
            self.value(body);
        }
        self.shorthand -= usize::from(for_each.is_some());
    }
}

impl Project {
    /// Returns the loops around the byte at `offset` of a file, outermost first. A loop is around its fragment, not
    /// around its collection.
    pub fn enclosing_loops(&self, file: &formwork_base::VirtualPath, offset: u32) -> Vec<EnclosingLoop> {
        self.loops_where(file, |known| known.body.iter().any(|range| touches(range, offset)))
    }

    /// Returns every loop of a file, in order.
    pub fn loops(&self, file: &formwork_base::VirtualPath) -> Vec<EnclosingLoop> {
        self.loops_where(file, |_| true)
    }

    fn loops_where(
        &self,
        file: &formwork_base::VirtualPath,
        is_wanted: impl Fn(&LoopDeclaration) -> bool,
    ) -> Vec<EnclosingLoop> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let found = index.names.loops.iter().filter(|known| is_wanted(known)).map(|known| {
            let declared = index.file_range(&known.site);
            EnclosingLoop {
                kind: known.kind,
                name: known.name.clone(),
                variables: known.variables.clone(),
                items: self.expansion().map_or_else(Vec::new, |expansion| expansion.items(&declared)),
                declared,
                collection: known.collection.as_ref().map(|range| index.file_range(range)),
                collection_text: known.collection.as_ref().map_or_else(String::new, |range| {
                    index.text().get(range.start as usize..range.end as usize).unwrap_or_default().to_owned()
                }),
            }
        });
        let mut found: Vec<EnclosingLoop> = found.collect();
        found.sort_by_key(|known| known.declared.start);
        found
    }
}
