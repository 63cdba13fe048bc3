//! `Fn::FindInMap` in a module (reference/modules/conditions.md#mappings): looked up now when all names
//! are written out, else the mapping comes along under its full name.

use formwork_base::{Severity, codes};
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;

use super::Linker;
use super::evaluate::Value;
use super::goals::Made;
use super::instance::InstanceId;

impl Linker<'_> {
    pub(super) fn evaluate_find_in_map(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        if !self.folds(scope) || self.tree.len(argument) < 3 {
            return self.evaluate_other(node, scope);
        }
        let made = self.evaluate_argument(argument, scope)?;
        let made = if scope == InstanceId::ROOT { made } else { self.with_mapping(made, node, scope)? };
        let call = self.call_in_place(node, made, self.frame(scope));
        Ok(self.fold(call, scope))
    }

    /// The arguments of a lookup with the full name of the mapping, which comes along.
    fn with_mapping(&mut self, argument: NodeId, node: NodeId, scope: InstanceId) -> Made<NodeId> {
        let section = self.section(scope, "Mappings")?;
        let mut items = self.tree.items(argument).to_vec();
        if !self.tree.is_scalar(items[0]) {
            self.emit_all_mappings(node, section, scope);
            return Ok(argument);
        }
        let name = self.tree.text_form(items[0]).to_owned();
        let full = if let Some(found) = section.and_then(|section| self.tree.get_text(section, &name)) {
            self.emit_mapping(&name, found, scope)
        } else {
            self.report_no_mapping(&name, node, section, scope);
            format!("{}{name}", self.instances[scope.0].prefix)
        };
        let frame = self.frame(scope);
        items[0] = self.text_in_place(items[0], &full, frame);
        Ok(self.list_in_place(argument, &items, frame))
    }

    fn emit_mapping(&mut self, name: &str, mapping: NodeId, scope: InstanceId) -> String {
        let full = format!("{}{name}", self.instances[scope.0].prefix);
        let symbol = self.tree.intern(&full);
        self.mappings.entry(symbol).or_insert(mapping);
        full
    }

    /// Which mapping is meant is known only at deployment: all of them come along.
    fn emit_all_mappings(&mut self, node: NodeId, section: Option<NodeId>, scope: InstanceId) {
        let Some(section) = section else { return };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            let name = self.tree.text(entry.key).to_owned();
            self.emit_mapping(&name, entry.value, scope);
        }
        let message =
            "the name of the mapping is known only at deployment, where it gets the name of the import in front";
        let help = "write the name of the mapping out, or pass it as a property";
        let diagnostic = self
            .fault(codes::NO_MAPPING_ENTRY, node, message, help)
            .severity(Severity::Warning)
            .note("all mappings of the module are put into the result");
        self.report(scope, diagnostic);
    }

    fn report_no_mapping(&mut self, name: &str, node: NodeId, section: Option<NodeId>, scope: InstanceId) {
        let written = shown(name);
        let message = format!("the module has no mapping {written}: `Mapping not found: {written}`");
        let otherwise = "a module sees the mappings of its own file alone: declare it there";
        let help = self.advice(name, self.names_in(section), otherwise);
        self.report(scope, self.fault(codes::NO_MAPPING_ENTRY, node, message, help));
    }
}
