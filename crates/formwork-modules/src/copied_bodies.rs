//! Loops in a resource with `ForEach` that use the variables of its copies: those are replaced before anything else
//! (reference/modules/copies.md#variables), so the loops are expanded in each copy.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Symbol, Tree, flags, symbol};

use super::Linker;
use super::instance::InstanceId;
use super::stop::Resolved;
use super::walk::walk;
use formwork_loops::copy_names::names_copies;

impl Linker<'_> {
    /// Returns a file in which these resources have no loops, and the original resources by name.
    pub(super) fn without_copied_bodies(&mut self, root: NodeId) -> (NodeId, Vec<(Symbol, NodeId)>) {
        let Some(section) = self.tree.get(root, symbol::RESOURCES).filter(|&node| self.tree.has(node, flags::HAS_LOOP))
        else {
            return (root, Vec::new());
        };
        let waits = |entry: &Entry| {
            self.tree.loop_name(entry.key).is_none()
                && self.tree.has(entry.value, flags::HAS_LOOP)
                && self.tree.get_text(entry.value, "ForEach").is_some()
                && self.loops_name_copies(entry.value)
        };
        let waiting: Vec<Entry> = self.tree.entries(section).filter(waits).collect();
        let (mut made, mut bodies) = (section, Vec::with_capacity(waiting.len()));
        for Entry { key, value } in waiting {
            let entries = self.tree.entries(value).filter(|entry| !self.tree.has(entry.value, flags::HAS_LOOP));
            let entries: Vec<Entry> = entries.collect();
            let stub = self.tree.map(&entries, self.tree.style(value), Origin::Generated(value, FrameId::NONE));
            let name = self.tree.symbol(key);
            made = self.tree.with_member(made, name, stub);
            bodies.push((name, value));
        }
        (if bodies.is_empty() { root } else { self.tree.with_member(root, symbol::RESOURCES, made) }, bodies)
    }

    pub(super) fn with_copied_bodies(&mut self, root: NodeId, bodies: &[(Symbol, NodeId)]) -> NodeId {
        let Some(mut section) = self.tree.get(root, symbol::RESOURCES).filter(|_| !bodies.is_empty()) else {
            return root;
        };
        for &(name, body) in bodies {
            section = self.tree.with_member(section, name, body);
        }
        self.tree.with_member(root, symbol::RESOURCES, section)
    }

    /// Returns a copy of the resource `written` with its loops expanded; loops of the template without the module
    /// language are left to the stage that expands loops.
    pub(super) fn copy_without_loops(&mut self, copy: NodeId, written: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        if !self.tree.has(copy, flags::HAS_LOOP) {
            return Ok(copy);
        }
        let is_now = scope != InstanceId::ROOT || self.loops_name_copies(written) || self.is_of_modules(copy)?;
        Ok(if is_now { self.without_loops_at(&["Entry"], copy, scope)?.unwrap_or(copy) } else { copy })
    }

    fn loops_name_copies(&self, body: NodeId) -> bool {
        let tree = &*self.tree;
        let mut open = vec![body];
        while let Some(node) = open.pop() {
            if !tree.has(node, flags::HAS_LOOP) {
                continue;
            }
            let is_map = tree.argument_of(node, Known::Map).is_some();
            for (at, child) in tree.child_nodes(node).enumerate() {
                let is_loop =
                    is_map || tree.kind(node) == Kind::Map && tree.loop_name(tree.entry(node, at).key).is_some();
                if is_loop && is_of_copies(tree, child) {
                    return true;
                }
                open.push(child);
            }
        }
        false
    }
}

fn is_of_copies(tree: &Tree, node: NodeId) -> bool {
    let mut is_found = false;
    walk(tree, node, |node| {
        is_found |= tree.string(node).is_some_and(names_copies);
        !is_found
    });
    is_found
}
