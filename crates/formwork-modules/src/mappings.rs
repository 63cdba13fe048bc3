//! Evaluation of `Fn::FindInMap` in a module (reference/modules/conditions.md#mappings): immediately with literal
//! names, else the mapping is emitted under its full name.

use formwork_base::display::shown;
use formwork_base::{Severity, codes};
use formwork_syntax::{Entry, NodeId};

use super::Linker;
use super::instance::InstanceId;
use super::stop::Resolved;

impl Linker<'_> {
    /// Returns the arguments of a look-up with the full name of the mapping, which is emitted. When the name is known
    /// only at deployment, all mappings are emitted.
    pub(super) fn with_mapping(&mut self, argument: NodeId, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let section = self.section(scope, "Mappings")?;
        let mut items = self.tree.items(argument).to_vec();
        let name = self.tree.is_scalar(items[0]).then(|| self.tree.text_form(items[0]).to_owned());
        let meant: Vec<Entry> = match (section, &name) {
            (Some(section), Some(name)) => self.emitted.mappings_named(self.tree, name, section),
            (Some(section), None) => self.tree.entries(section).collect(),
            (None, _) => Vec::new(),
        };
        for entry in &meant {
            let full = self.values.full_name(self.tree.text(entry.key), scope);
            let full = self.tree.intern(&full);
            match self.emitted.mappings.get(&full) {
                None => {
                    self.emitted.mappings.insert(full, entry.value);
                    self.emitted.mappings_in_order.push(full);
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
        let full = self.values.full_name(&name, scope);
        items[0] = self.text_in_place(items[0], &full, self.values.frame(scope));
        Ok(self.list_in_place(argument, &items, self.values.frame(scope)))
    }

    fn warn_of_all_mappings(&mut self, node: NodeId, scope: InstanceId) {
        let message = "the name of the mapping is known only at deployment, but the import name must be prefixed now";
        let help = "write the name of the mapping literally, or pass it as a property";
        let diagnostic = self
            .error(codes::NO_MAPPING_ENTRY, node, message, help)
            .severity(Severity::Warning)
            .note("all mappings of the module are copied into the result");
        self.report(scope, diagnostic);
    }

    fn report_no_mapping(&mut self, name: &str, node: NodeId, section: Option<NodeId>, scope: InstanceId) {
        let written = shown(name);
        let message = format!("the module does not declare mapping {written}: `Mapping not found: {written}`");
        let otherwise = "a module sees only the mappings of its own file: declare it there";
        let help = self.advice(name, self.names_in(section), otherwise);
        self.report(scope, self.error(codes::NO_MAPPING_ENTRY, node, message, help));
    }
}
