//! `Fn::FindInMap` in a module (spec modules.md, section 10): looked up now when all names are
//! written out, else the mapping comes along under its full name.

use formwork_base::{Diagnostic, Severity, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::{NodeId, symbol};

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;

impl Linker<'_> {
    pub(super) fn evaluate_find_in_map(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        if scope == Scope::ROOT && !self.folds(scope) || self.tree.len(argument) < 3 {
            return self.evaluate_other(node, scope);
        }
        let items = self.tree.items(argument).to_vec();
        let mut made = Vec::with_capacity(items.len());
        for &item in &items {
            match self.evaluate(item, scope) {
                Value::Node(item) => made.push(item),
                Value::Omit => {}
                Value::Poison => return Value::Poison,
            }
        }
        let section = self.section(scope, "Mappings");
        let is_known = |linker: &Self, at: usize| made.get(at).is_some_and(|&node| linker.tree.is_scalar(node));
        if !is_known(self, 0) {
            if scope != Scope::ROOT {
                self.emit_all_mappings(node, scope);
            }
            return Value::Node(self.kept_call(node, argument, &made, scope));
        }
        let name = self.tree.text_form(made[0]).to_owned();
        let Some(mapping) = section.and_then(|section| self.tree.get_text(section, &name)) else {
            if scope == Scope::ROOT {
                return Value::Node(self.kept_call(node, argument, &made, scope));
            }
            return self.mapping_not_found(&name, node, section, scope);
        };
        if is_known(self, 1) && is_known(self, 2) {
            let (first, second) = (self.tree.text_form(made[1]).to_owned(), self.tree.text_form(made[2]).to_owned());
            let entry = self.tree.get_text(mapping, &first).and_then(|inner| self.tree.get_text(inner, &second));
            if let Some(value) = entry {
                let frame = self.frame(scope);
                let frame = self.frame_within(node, frame);
                return Value::Node(self.tree.stand_in(value, node, frame));
            }
            if let Some(default) = made.get(3).and_then(|&node| self.tree.get(node, symbol::DEFAULT_VALUE)) {
                return Value::Node(default);
            }
            if scope == Scope::ROOT {
                // The template's own lookups are checked with the rest of it.
                return Value::Node(self.kept_call(node, argument, &made, scope));
            }
            let message = format!(
                "there is no such entry: `Mapping {} has no entry {}.{}`",
                shown(&name),
                shown(&first),
                shown(&second)
            );
            let diagnostic = Diagnostic::new(codes::NO_MAPPING_ENTRY, message)
                .at(self.tree.span(node))
                .related(self.tree.span(mapping), "the mapping")
                .help("correct the key, add the entry, or give a DefaultValue");
            self.report(scope, diagnostic);
            return Value::Poison;
        }
        if scope != Scope::ROOT {
            let full = self.emit_mapping(&name, mapping, scope);
            let frame = self.frame(scope);
            made[0] = self.text_in_place(items[0], &full, frame);
        }
        Value::Node(self.kept_call(node, argument, &made, scope))
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
        self.mappings.entry(full.clone()).or_insert(mapping);
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

    fn mapping_not_found(&mut self, name: &str, node: NodeId, section: Option<NodeId>, scope: Scope) -> Value {
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
        Value::Poison
    }
}
