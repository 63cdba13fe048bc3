//! `DependsOn` (reference/modules/references.md#depends-on): names of the file become full ids, those of
//! imports all their resources.

use formwork_evaluate::Truth;
use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::imports::Use;
use super::instance::Scope;

impl Linker<'_> {
    /// What stands in the result for a `DependsOn`.
    pub(super) fn depends_on(&mut self, node: NodeId, scope: Scope) -> NodeId {
        let written: Vec<NodeId> = match self.tree.kind(node) {
            Kind::List => self.tree.items(node).to_vec(),
            Kind::String => vec![node],
            _ => return self.evaluate(node, scope).node().unwrap_or(node),
        };
        let mut names: Vec<(NodeId, String)> = Vec::with_capacity(written.len());
        for &item in &written {
            let text = self.tree.text(item).to_owned();
            for name in self.needed(&text, scope) {
                if !names.iter().any(|(_, known)| *known == name) {
                    names.push((item, name));
                }
            }
        }
        let is_same = names.len() == written.len()
            && names.iter().zip(&written).all(|((item, name), &old)| *item == old && self.tree.text(old) == name);
        if is_same {
            return node;
        }
        let frame = self.frame(scope);
        let items: Vec<NodeId> = names.iter().map(|(item, name)| self.text_in_place(*item, name, frame)).collect();
        match items.as_slice() {
            &[only] if self.tree.kind(node) == Kind::String => only,
            items if self.tree.kind(node) == Kind::List => self.list_in_place(node, items, frame),
            items => {
                let frame = self.frame_within(node, frame);
                self.tree.list(items, formwork_syntax::Style::Plain, formwork_syntax::Origin::Made(node, frame))
            }
        }
    }

    /// The full ids that one name stands for.
    fn needed(&mut self, name: &str, scope: Scope) -> Vec<String> {
        if let Some(id) = self.full_id(name, scope) {
            return vec![id];
        }
        let prefix = self.instances[scope.0].prefix.clone();
        let path = super::path::parse(name);
        let Some(head) = self.tree.symbols().get(path.head) else { return vec![name.to_owned()] };
        if self.instances[scope.0].resource_groups.get(&head).is_some_and(|group| group.is_many) {
            let Some(copies) = self.resource_copies(head, scope) else { return Vec::new() };
            let keep = path.steps.first().filter(|step| !step.is_all());
            return copies
                .iter()
                .enumerate()
                .filter(|(at, copy)| {
                    keep.is_none_or(|step| step.index() == Some(*at) || copy.identifier.as_deref() == Some(step.text))
                })
                .map(|(_, copy)| format!("{prefix}{}", copy.id))
                .collect();
        }
        self.import_names(scope);
        let copies = if self.instances[scope.0].groups.contains_key(&head) {
            self.copies(head, scope).map(|copies| copies.to_vec())
        } else {
            let found = self.copy_named(name, scope);
            found.and_then(|(group, at)| self.copies(group, scope).map(|copies| vec![copies[at].clone()]))
        };
        let Some(copies) = copies else { return vec![name.to_owned()] };
        let mut ids = Vec::new();
        for copy in copies {
            if let Use::Instance(used) = self.instantiate(&copy, scope) {
                self.add_all_ids(used, &mut ids);
            }
        }
        ids
    }

    /// Adds the full ids of everything that an instance and those in it emit.
    fn add_all_ids(&mut self, instance: Scope, ids: &mut Vec<String>) {
        let mut open = vec![instance];
        while let Some(scope) = open.pop() {
            if self.stopped {
                return;
            }
            let prefix = self.instances[scope.0].prefix.clone();
            for &name in self.resource_names(scope).iter() {
                let Some(copies) = self.resource_copies(name, scope) else { continue };
                for copy in copies.iter() {
                    let condition = self.tree.get(copy.body, formwork_syntax::symbol::CONDITION);
                    let is_gone = condition.is_some_and(|node| self.condition_of(node, scope).0 == Truth::False);
                    if !is_gone {
                        ids.push(format!("{prefix}{}", copy.id));
                    }
                }
            }
            for &group in self.import_names(scope).iter().rev() {
                let Some(copies) = self.copies(group, scope) else { continue };
                for copy in copies.iter().rev() {
                    if let Use::Instance(used) = self.instantiate(copy, scope) {
                        open.push(used);
                    }
                }
            }
        }
    }
}
