//! The errors in a template with an import that cannot be inlined: a mistake in an import does not hide the others
//! (reference/modules/README.md#errors).
//!
//! The template is compiled a second time, without its imports. Of the errors of that run, those that no import can
//! cause are reported.

use std::collections::HashSet;

use formwork_base::{Diagnostic, FileBytes, Goal, Severity, Span, VirtualPath};
use formwork_syntax::{Entry, Kind, NodeId, Origin, symbol};
use formwork_template::NamePattern;

use super::Run;
use super::second::Second;

const SECTIONS: [&str; 3] = ["Modules", "Packages", "Constants"];

impl Run<'_> {
    /// Adds the errors in the rest of a template with an import that cannot be inlined.
    pub(super) fn check_without_modules(&mut self, root: NodeId, (path, bytes): (&VirtualPath, &FileBytes)) {
        if self.goal != Goal::Check || self.second.is_some() || self.tree.kind(root) != Kind::Map {
            return;
        }
        let Some(file) = self.file else { return };
        let own = self.sources.base(file)..=self.sources.base(file) + self.sources.text(file).len() as u32;
        let second = self.compiled_again(Second::WithoutModules, path, bytes);
        let mut known = self.names_of(self.tree.get(root, symbol::PARAMETERS), |_| true);
        known.extend(self.imports(root).into_iter().chain(self.copied(root)));
        known.insert("Const".to_owned());
        let errors: Vec<Span> =
            self.diagnostics.iter().filter(|one| one.severity == Severity::Error).map(Diagnostic::span).collect();
        for one in second.diagnostics() {
            let span = one.span();
            // All errors of the module language were found with the imports.
            let is_of_rest = one.code.is_of_service() && !one.code.info().needs_items;
            let is_own = one.severity == Severity::Error && is_of_rest && own.contains(&span.start());
            let is_known =
                errors.iter().take(MOST).any(|error| error.start() < span.end() && span.start() < error.end());
            let text = self.sources.slice(span);
            let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
            let is_of_modules =
                first.is_some_and(|word| known.contains(word)) || text.starts_with('$') && !text.starts_with("${");
            let is_elsewhere = one.related.iter().any(|label| !own.contains(&label.span.start()));
            if is_own && !is_known && !is_of_modules && !is_elsewhere {
                self.diagnostics.push(one.clone());
            }
        }
    }

    /// Removes the imports and the resources that are copied. Returns the names that these may generate, too.
    pub(super) fn without_modules(&mut self, root: NodeId) -> (NodeId, Vec<NamePattern>) {
        if !matches!(self.second, Some(Second::WithoutModules)) || self.tree.kind(root) != Kind::Map {
            return (root, Vec::new());
        }
        let imports = self.imports(root);
        let copied = self.copied(root);
        let names = imports.iter().chain(&copied).map(|name| {
            let is_loop = name.contains("::");
            if is_loop { NamePattern::any() } else { NamePattern::of_key(&format!("{name}${{x}}")) }
        });
        let names = names.collect();
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
        (self.tree.map(&sections, style, origin), names)
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
