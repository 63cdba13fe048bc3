//! `Fn::GetAtt`: an attribute of a resource, an output of a module, a member of a parameter.

use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;
use super::path;

impl Linker<'_> {
    pub(super) fn evaluate_get_att(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let text = match self.tree.kind(argument) {
            Kind::String => self.tree.text(argument).to_owned(),
            Kind::List if self.tree.items(argument).iter().all(|&item| self.tree.is_scalar(item)) => {
                let parts: Vec<&str> = self.tree.items(argument).iter().map(|&item| self.tree.text(item)).collect();
                parts.join(".")
            }
            Kind::List => return self.computed_attribute(node, argument, scope),
            _ => return self.evaluate_other(node, scope),
        };
        let found = self.look_up(&path::parse(&text), scope, node);
        self.in_place(found, node, argument, scope)
    }

    /// `[Resource, !Ref Attribute]`: the name is rewritten, the attribute worked out.
    fn computed_attribute(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        let items = self.tree.items(argument).to_vec();
        let mut made = Vec::with_capacity(items.len());
        for (at, &item) in items.iter().enumerate() {
            let name = (at == 0).then(|| self.tree.string(item).map(str::to_owned)).flatten();
            let renamed = name.and_then(|name| self.full_id(&name, scope));
            match renamed {
                Some(id) => {
                    let frame = self.frame(scope);
                    made.push(self.text_in_place(item, &id, frame));
                }
                None => match self.evaluate_known(item, scope) {
                    Value::Node(value) => made.push(value),
                    Value::Omit | Value::Poison => return Value::Poison,
                },
            }
        }
        // A computed name is one of the file, as a written one is.
        let is_computed_name = made[0] != items[0] && self.tree.kind(items[0]) == Kind::Call && self.folds(scope);
        if let Some(name) = self.tree.string(made[0]).filter(|_| is_computed_name).map(str::to_owned)
            && let Some(id) = self.full_id(&name, scope)
        {
            let frame = self.frame(scope);
            made[0] = self.text_in_place(items[0], &id, frame);
        }
        let parts: Vec<String> = made.iter().map(|&item| self.tree.text_form(item).to_owned()).collect();
        let is_known = made.iter().all(|&item| self.tree.is_scalar(item));
        if made == items {
            return Value::Node(node);
        }
        // With every part known it may be an output or a member after all.
        if is_known && self.full_id(&parts[0], scope).is_none() && self.tree.items(argument)[0] == made[0] {
            let found = self.look_up(&path::parse(&parts.join(".")), scope, node);
            if found != super::reference::Found::Nothing {
                let list = self.list_in_place(argument, &made, self.frame(scope));
                return self.in_place(found, node, list, scope);
            }
        }
        let list = self.list_in_place(argument, &made, self.frame(scope));
        Value::Node(self.call_in_place(node, list, self.frame(scope)))
    }
}
