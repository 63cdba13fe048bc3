//! Rewriting of `DependsOn` (reference/modules/references.md#depends-on): names of the file become full IDs, those of
//! imports the IDs of all their resources.

use formwork_syntax::{Kind, NodeId, Origin, Style};
use rustc_hash::FxHashSet;

use super::Linker;
use super::copy_list::Copies;
use super::groups::Section;
use super::instance::InstanceId;
use super::path::Path;
use super::stop::{Resolved, Stop, unless_wrong};

impl Linker<'_> {
    pub(super) fn depends_on(&mut self, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let written: Vec<NodeId> = match self.tree.kind(node) {
            Kind::List => self.tree.items(node).to_vec(),
            Kind::String => vec![node],
            _ => return Ok(unless_wrong(self.evaluate(node, scope))?.flatten().unwrap_or(node)),
        };
        let mut names: Vec<(NodeId, String)> = Vec::with_capacity(written.len());
        let mut seen = FxHashSet::default();
        for &item in &written {
            let text = self.tree.text(item).to_owned();
            for name in unless_wrong(self.needed(&text, item, scope))?.unwrap_or_default() {
                if seen.insert(name.clone()) {
                    names.push((item, name));
                }
            }
        }
        let is_same = names.len() == written.len()
            && names.iter().zip(&written).all(|((item, name), &old)| *item == old && self.tree.text(old) == name);
        if is_same {
            return Ok(node);
        }
        let frame = self.values.frame(scope);
        let items: Vec<NodeId> = names.iter().map(|(item, name)| self.text_in_place(*item, name, frame)).collect();
        if let (&[only], Kind::String) = (items.as_slice(), self.tree.kind(node)) {
            return Ok(only);
        }
        let style = if self.tree.kind(node) == Kind::List { self.tree.style(node) } else { Style::Plain };
        let frame = self.frame_within(node, frame);
        Ok(self.tree.list(&items, style, Origin::Generated(node, frame)))
    }

    fn needed(&mut self, name: &str, at: NodeId, scope: InstanceId) -> Resolved<Vec<String>> {
        if let Some(id) = self.full_id(name, scope)? {
            return Ok(vec![id]);
        }
        let prefix = self.values.instances[scope.at()].prefix.clone();
        let path = super::path::parse(name);
        let head = self.tree.intern(path.head);
        if self.groups(Section::Resources, scope)?.is_many(head) {
            let copies = unless_wrong(self.copies_of(Section::Resources, head, scope))?.unwrap_or_default();
            let kept = if let Some(number) = self.selected(&path, &copies, at, scope)? {
                vec![number]
            } else {
                let mut present = Vec::with_capacity(copies.len());
                for (number, copy) in copies.iter().enumerate() {
                    if !self.is_copy_removed(copy, head, scope)? {
                        present.push(number);
                    }
                }
                present
            };
            return Ok(kept.into_iter().map(|at| format!("{prefix}{}", self.tree.name(copies[at].id))).collect());
        }
        let Some((copies, number)) = unless_wrong(self.import_named(name, head, scope))?.flatten() else {
            return Ok(vec![name.to_owned()]);
        };
        let mut ids = Vec::new();
        let number = match number {
            None => self.selected(&path, &copies, at, scope)?,
            named => named,
        };
        let meant = number.map_or(0..copies.len(), |number| number..copies.len().min(number + 1));
        for copy in &copies[meant] {
            if let Some(used) = self.instance(copy, scope)? {
                self.add_all_ids(used, &mut ids)?;
            }
        }
        Ok(ids)
    }

    /// Returns the index of the copy that brackets select; `None` for all copies.
    fn selected(&mut self, path: &Path<'_>, copies: &Copies, at: NodeId, scope: InstanceId) -> Resolved<Option<usize>> {
        if path.steps.is_empty() { Ok(None) } else { self.select(path, copies, at, scope) }
    }

    fn add_all_ids(&mut self, instance: InstanceId, ids: &mut Vec<String>) -> Resolved<()> {
        let mut open = vec![instance];
        while let Some(scope) = open.pop() {
            if self.values.usage.stopped {
                return Err(Stop::Reported);
            }
            let prefix = self.values.instances[scope.at()].prefix.clone();
            for &name in &self.groups(Section::Resources, scope)?.names {
                let copies = unless_wrong(self.copies_of(Section::Resources, name, scope))?.unwrap_or_default();
                for copy in copies.iter() {
                    if !self.is_copy_removed(copy, name, scope)? {
                        ids.push(format!("{prefix}{}", self.tree.name(copy.id)));
                    }
                }
            }
            open.extend(self.imported(scope)?.into_iter().rev());
        }
        Ok(())
    }
}
