//! `Fn::FindInMap` in a module (reference/modules/conditions.md#mappings): looked up now when all names
//! are written out, else the mapping comes along under its full name.

use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::NodeId;
use formwork_syntax::document::shown;

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;

impl Linker<'_> {
    pub(super) fn evaluate_find_in_map(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        if !self.folds(scope) || self.tree.len(argument) < 3 {
            return self.evaluate_other(node, scope);
        }
        let items = self.tree.items(argument).to_vec();
        let mut made = Vec::with_capacity(items.len());
        for &item in &items {
            match self.evaluate(item, scope) {
                Value::Node(item) => made.push(item),
                Value::Omit => made.push(self.no_value(item, scope)),
                Value::Poison => return Value::Poison,
            }
        }
        if scope != Scope::ROOT {
            let section = self.section(scope, "Mappings");
            if self.tree.is_scalar(made[0]) {
                let name = self.tree.text_form(made[0]).to_owned();
                let full = if let Some(found) = section.and_then(|section| self.tree.get_text(section, &name)) {
                    self.emit_mapping(&name, found, scope)
                } else {
                    self.report_no_mapping(&name, node, section, scope);
                    format!("{}{name}", self.instances[scope.0].prefix)
                };
                let frame = self.frame(scope);
                made[0] = self.text_in_place(items[0], &full, frame);
            } else {
                self.emit_all_mappings(node, scope);
            }
        }
        let call = self.kept_call(node, argument, &made, scope);
        self.fold(call, scope).unwrap_or(Value::Node(call))
    }

    fn kept_call(&mut self, node: NodeId, argument: NodeId, made: &[NodeId], scope: Scope) -> NodeId {
        if self.tree.items(argument) == made {
            return node;
        }
        let list = self.list_in_place(argument, made, self.frame(scope));
        self.call_in_place(node, list, self.frame(scope))
    }

    fn emit_mapping(&mut self, name: &str, mapping: NodeId, scope: Scope) -> String {
        let full = format!("{}{name}", self.instances[scope.0].prefix);
        let symbol = self.tree.intern(&full);
        self.mappings.entry(symbol).or_insert(mapping);
        full
    }

    /// Which mapping is meant is known only at deployment: all of them come along.
    fn emit_all_mappings(&mut self, node: NodeId, scope: Scope) {
        let Some(section) = self.section(scope, "Mappings") else { return };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            let name = self.tree.text(entry.key).to_owned();
            self.emit_mapping(&name, entry.value, scope);
        }
        let diagnostic = Diagnostic::new(
            codes::NO_MAPPING_ENTRY,
            "the name of the mapping is known only at deployment, where it gets the name of the import in front",
        )
        .severity(Severity::Warning)
        .at(self.tree.span(node))
        .note("all mappings of the module are put into the result")
        .help("write the name of the mapping out, or pass it as a property");
        self.report(scope, diagnostic);
    }

    fn report_no_mapping(&mut self, name: &str, node: NodeId, section: Option<NodeId>, scope: Scope) {
        let names: Vec<&str> = section.map_or_else(Vec::new, |section| {
            self.tree.entries(section).map(|entry| self.tree.text(entry.key)).collect()
        });
        let mut diagnostic = Diagnostic::new(
            codes::NO_MAPPING_ENTRY,
            format!("the module has no mapping {}: `Mapping not found: {}`", shown(name), shown(name)),
        )
        .at(self.tree.span(node));
        diagnostic = match suggest::nearest(name, names) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help("a module sees the mappings of its own file alone: declare it there"),
        };
        self.report(scope, diagnostic);
    }
}
