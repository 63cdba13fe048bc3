//! Imports, packages and constants of a file.

use formwork_syntax::{Entry, Kind, NodeId, function, symbol};
use formwork_template::sub_string::{self, Part};

use crate::locate::{Locator, part};
use crate::names::{Expects, Import};
use crate::walk::{Walk, is_spliced};

impl Walk<'_> {
    /// Records the names of imports before the walk: they may be used in front of their declaration.
    pub(crate) fn find_imports(&mut self, map: NodeId, in_loop: Option<&str>) {
        let tree = self.tree();
        for entry in tree.entries(map) {
            let name = tree.text(entry.key);
            match (function::loop_name(name), tree.items(entry.value)) {
                (Some(name), &[_, _, fragment]) => self.find_imports(fragment, Some(name)),
                (Some(_), _) => {}
                (None, _) if is_spliced(name) => {}
                (None, _) => self.imports.push((name.to_owned(), in_loop.map(str::to_owned))),
            }
        }
    }

    /// Visits an import (reference/modules/README.md#imports).
    pub(crate) fn import_body(&mut self, entry: Entry, declaration: usize) {
        let tree = self.tree();
        let (name, body) = (tree.text(entry.key), entry.value);
        let number = self.names.imports.len();
        let source = tree.get_text(body, "Source").filter(|&source| tree.string(source).is_some());
        let written = source.map(|source| tree.text(source).to_owned());
        self.names.declarations[declaration].detail.clone_from(&written);
        self.names.imports.push(Import { name: name.to_owned(), declaration, source: written });
        // In an `Fn::ForEach` of imports placeholders are replaced in every string.
        self.fills_strings = self.imports.get(number).is_some_and(|(_, in_loop)| in_loop.is_some());
        let for_each = tree.entries(body).find(|entry| tree.text(entry.key) == "ForEach");
        if let Some(attribute) = for_each {
            self.attribute_loop(attribute, entry);
        }
        self.shorthand += usize::from(for_each.is_some());
        for entry in tree.entries(body) {
            match tree.text(entry.key) {
                "Source" => self.source(entry.value, number),
                "Properties" => self.properties(entry.value, number),
                "Overrides" => self.overrides(entry.value, number),
                "ForEach" => {}
                _ if tree.symbol(entry.key) == symbol::CONDITION => self.push_text(entry.value, Expects::Condition),
                _ => self.value(entry.value),
            }
        }
        self.shorthand -= usize::from(for_each.is_some());
        self.fills_strings = false;
    }

    /// Visits the source of an import: a file, or a file in a package (reference/modules/sources.md#packages).
    fn source(&mut self, node: NodeId, import: usize) {
        let Some(text) = self.tree().string(node) else { return self.value(node) };
        let whole = Locator::new(self.file, node).next(text);
        let package = text.strip_prefix('$').map(|rest| rest.split('/').next().unwrap_or_default());
        if let Some(package) = package.filter(|package| !package.starts_with('{')) {
            self.push(package, part(&whole, text, 1, package.len()), Expects::Package);
            let file = package.len() + 2;
            if file < text.len() {
                self.push(text, part(&whole, text, file, text.len() - file), Expects::ModuleFile(import));
            }
            return;
        }
        self.push(text, whole, Expects::ModuleFile(import));
    }

    /// Visits the overrides of an import: keys are resources of its module (reference/modules/overrides.md).
    fn overrides(&mut self, map: NodeId, import: usize) {
        let tree = self.tree();
        if tree.kind(map) != Kind::Map {
            return self.value(map);
        }
        for entry in tree.entries(map) {
            self.push_text(entry.key, Expects::ModuleResource(import));
            self.attributes(entry);
        }
    }

    /// Visits the value of a constant, which may use constants in front of it (reference/modules/constants.md).
    pub(crate) fn constant(&mut self, node: NodeId) {
        let tree = self.tree();
        let Some(text) = tree.string(node) else { return self.value(node) };
        let mut locator = Locator::new(self.file, node);
        for written in sub_string::parts(text) {
            if let Part::Variable(full) = written
                && let Some(name) = full.strip_prefix("Const::")
            {
                let range = locator.between("${Const::", name, "}");
                self.push(name, range, Expects::Constant);
            }
        }
    }
}
