//! The errors in a template with an import that cannot be inlined: a mistake in an import does not hide the others
//! (reference/modules/README.md#errors).
//!
//! The rest of the template is compiled in the same run. Of its errors, those that no import can cause are reported.

use std::collections::HashSet;

use formwork_base::{Diagnostic, Goal, Severity, Span};
use formwork_syntax::{Document, Entry, Kind, NodeId, Origin, symbol};
use formwork_template::NamePattern;

use super::Run;
use super::lost_names::LostReferences;

const SECTIONS: [&str; 3] = ["Modules", "Packages", "Constants"];

impl Run<'_> {
    /// Adds the errors in the rest of a template with an import that cannot be inlined.
    pub(super) fn check_without_modules(&mut self, document: Document) {
        let root = document.root;
        if self.goal != Goal::Check || self.tree.kind(root) != Kind::Map {
            return;
        }
        let (imports, copied) = (self.imports(root), self.copied(root));
        let names = imports.iter().chain(&copied).map(|name| {
            let is_loop = name.contains("::");
            if is_loop { NamePattern::any() } else { NamePattern::of_key(&format!("{name}${{x}}")) }
        });
        self.lost_names = names.collect();
        let rest = Document { root: self.without_modules(root, &copied), ..document };
        let found = self.compiled_apart(rest, self.diagnostics.of_same_run()).found;
        self.lost_names.clear();
        let mut lost = self.names_of(self.tree.get(root, symbol::PARAMETERS), |_| true);
        lost.extend(imports.into_iter().chain(copied));
        lost.insert("Const".to_owned());
        let places = LostReferences::find(&self.tree, &self.sources, root, &|_, name| {
            lost.contains(name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
                || name.starts_with('$')
        });
        let own = self.sources.span(document.file);
        let errors: Vec<Span> =
            self.diagnostics.iter().filter(|one| one.severity == Severity::Error).map(Diagnostic::span).collect();
        for one in found.iter() {
            let span = one.span();
            // All errors of the module language were found with the imports.
            let is_of_rest = one.code.is_of_service() && !one.code.info().needs_items;
            let is_own = one.severity == Severity::Error && is_of_rest && own.contains(span);
            let is_known =
                errors.iter().take(MOST).any(|error| error.start() < span.end() && span.start() < error.end());
            let is_elsewhere = one.related.iter().any(|label| !own.contains(label.span));
            if is_own && !is_known && !places.meet(span) && !is_elsewhere {
                self.diagnostics.push(one.clone());
            }
        }
    }

    /// Removes the imports and the resources that are copied.
    fn without_modules(&mut self, root: NodeId, copied: &HashSet<String>) -> NodeId {
        let mut sections: Vec<Entry> = Vec::new();
        for section in self.tree.entries(root).collect::<Vec<_>>() {
            if SECTIONS.contains(&self.tree.text(section.key)) {
                continue;
            }
            let is_resources = self.tree.symbol(section.key) == symbol::RESOURCES;
            let value = if is_resources && !copied.is_empty() {
                let left = |entry: &Entry| !copied.contains(self.tree.text(entry.key));
                let entries: Vec<Entry> = self.tree.entries(section.value).filter(left).collect();
                let (style, origin) = (self.tree.style(section.value), Origin::Authored(self.tree.span(section.value)));
                self.tree.map(&entries, style, origin)
            } else {
                section.value
            };
            sections.push(Entry { key: section.key, value });
        }
        let (style, origin) = (self.tree.style(root), Origin::Authored(self.tree.span(root)));
        self.tree.map(&sections, style, origin)
    }

    fn names_of(&self, section: Option<NodeId>, is_of_kind: impl Fn(Entry) -> bool) -> HashSet<String> {
        let entries = section.into_iter().flat_map(|section| self.tree.entries(section));
        entries.filter(|entry| is_of_kind(*entry)).map(|entry| self.tree.text(entry.key).to_owned()).collect()
    }

    fn imports(&self, root: NodeId) -> HashSet<String> {
        self.names_of(self.tree.get_text(root, "Modules"), |_| true)
    }

    fn copied(&self, root: NodeId) -> HashSet<String> {
        let is_copied = |entry: Entry| self.tree.get_text(entry.value, "ForEach").is_some();
        self.names_of(self.tree.get(root, symbol::RESOURCES), is_copied)
    }
}

/// The largest number of errors for which further ones are searched.
const MOST: usize = 1_000;
