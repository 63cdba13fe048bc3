//! Attributes of resources, outputs and overrides, and loops of imports and resources.

use formwork_syntax::{Entry, symbol};

use crate::names::{Expects, LoopDeclaration, LoopKind};
use crate::symbol::SymbolKind;
use crate::walk::{SHORTHAND, Walk};

impl Walk<'_> {
    /// Visits the attribute `ForEach` of the import or resource `body` (reference/modules/copies.md#foreach).
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
