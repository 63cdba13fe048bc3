//! `Fn::FindInMap` in a module (reference/modules/conditions.md#mappings): looked up now when all names
//! are written out, else the mapping comes along under its full name.

use formwork_base::{IdMap, Severity, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, NodeId, Symbol};

use super::Linker;
use super::goals::Made;
use super::instance::InstanceId;

impl Linker<'_> {
    /// The arguments of a lookup with the full name of the mapping, which comes along. Which one is meant may be
    /// known only at deployment: then all of them come along.
    pub(super) fn with_mapping(&mut self, argument: NodeId, node: NodeId, scope: InstanceId) -> Made<NodeId> {
        let section = self.section(scope, "Mappings")?;
        let mut items = self.tree.items(argument).to_vec();
        let name = self.tree.is_scalar(items[0]).then(|| self.tree.text_form(items[0]).to_owned());
        let meant: Vec<Entry> = match (section, &name) {
            (Some(section), Some(name)) => self.mappings_named(name, section),
            (Some(section), None) => self.tree.entries(section).collect(),
            (None, _) => Vec::new(),
        };
        for entry in &meant {
            let full = self.full_name(self.tree.text(entry.key), scope);
            let full = self.tree.intern(&full);
            match self.mappings.get(&full) {
                None => {
                    self.mappings.insert(full, entry.value);
                    self.mappings_in_order.push(full);
                }
                Some(&known) if !self.tree.same_data(known, entry.value) => {
                    self.report_conflict("Mapping", full, (entry.key, scope), known);
                }
                Some(_) => {}
            }
        }
        let Some(name) = name else {
            if section.is_some() {
                self.warn_of_all_mappings(node, scope);
            }
            return Ok(argument);
        };
        if meant.is_empty() {
            self.report_no_mapping(&name, node, section, scope);
        }
        let full = self.full_name(&name, scope);
        items[0] = self.text_in_place(items[0], &full, self.frame(scope));
        Ok(self.list_in_place(argument, &items, self.frame(scope)))
    }

    /// The mappings of a section with this name: one, but in a file in which it is repeated.
    fn mappings_named(&mut self, name: &str, section: NodeId) -> Vec<Entry> {
        let tree = &*self.tree;
        let names = self.mapping_names.entry(section).or_insert_with(|| {
            let mut names: IdMap<Symbol, Vec<Entry>> = IdMap::default();
            for entry in tree.entries(section) {
                names.entry(tree.symbol(entry.key)).or_default().push(entry);
            }
            names
        });
        tree.symbols().get(name).and_then(|name| names.get(&name)).cloned().unwrap_or_default()
    }

    fn warn_of_all_mappings(&mut self, node: NodeId, scope: InstanceId) {
        let message = "the name of the mapping is known only at deployment, but the import name must be prefixed now";
        let help = "write the name of the mapping literally, or pass it as a property";
        let diagnostic = self
            .fault(codes::NO_MAPPING_ENTRY, node, message, help)
            .severity(Severity::Warning)
            .note("all mappings of the module are copied into the result");
        self.report(scope, diagnostic);
    }

    fn report_no_mapping(&mut self, name: &str, node: NodeId, section: Option<NodeId>, scope: InstanceId) {
        let written = shown(name);
        let message = format!("the module does not declare mapping {written}: `Mapping not found: {written}`");
        let otherwise = "a module sees only the mappings of its own file: declare it there";
        let help = self.advice(name, self.names_in(section), otherwise);
        self.report(scope, self.fault(codes::NO_MAPPING_ENTRY, node, message, help));
    }
}
