//! Expansion of the entries of an object: written ones, those that loops generate, and merged ones together
//! (reference/map-and-merge.md#merge-order).

use formwork_evaluate::Compat;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, View, flags, symbol};
use formwork_template::Section;

use super::parts::Loop;
use super::produced::{GeneratedEntries, Maker};
use super::{Expander, Level};

impl Expander<'_, '_> {
    pub(super) fn map(&mut self, node: NodeId, level: Level) -> NodeId {
        let mut members = GeneratedEntries::with_room(self.ev.tree.len(node));
        self.members(node, level, false, &mut members);
        self.check_duplicates(&members, level);
        let tree = &mut *self.ev.tree;
        if tree.kind(node) == Kind::Map && members.entries.iter().copied().eq(tree.entries(node)) {
            return node;
        }
        self.object(node, &members)
    }

    /// Returns `true` when all entries of a mapping are written in it, with unchanged keys.
    pub(super) fn has_plain_members(&self, node: NodeId) -> bool {
        !self.ev.tree.has(node, flags::HAS_LOOP) && self.ev.settings.compat != Compat::Sam
    }

    pub(super) fn plain_map(&mut self, node: NodeId) -> NodeId {
        let from = self.open.entries.len();
        let mut is_changed = false;
        for at in 0..self.ev.tree.len(node) {
            let Entry { key, value } = self.ev.tree.entry(node, at);
            let made = self.instantiate(value);
            is_changed |= made != Some(value);
            self.open.entries.extend(made.map(|value| Entry { key, value }));
        }
        let style = self.style_of(node);
        let entries = &self.open.entries[from..];
        let made =
            if is_changed { self.ev.tree.map(entries, style, Origin::Generated(node, self.frame)) } else { node };
        self.open.entries.truncate(from);
        made
    }

    /// Adds the entries that a mapping, fragment or operand generates. Placeholders in a fragment's keys are replaced;
    /// other keys are kept.
    pub(super) fn members(&mut self, node: NodeId, level: Level, is_fragment: bool, out: &mut GeneratedEntries) {
        let single = match self.ev.tree.view(node) {
            View::Call(Function::Known(Known::Map), _) => {
                let of = Loop::map(self.ev.tree, node);
                if let Some((of, key)) = of.and_then(|of| Some((of, of.key?))) {
                    self.map_members(&of, key, level, out);
                }
                return;
            }
            View::Call(Function::Known(Known::Merge), argument) => {
                return self.merge_members(self.ev.tree.call_name(node), argument, level, is_fragment, out);
            }
            // A fragment with one key that looks like a function is read as a call.
            View::Call(_, value) => Some(Entry { key: self.ev.tree.call_name(node), value }),
            _ => None,
        };
        let count = if single.is_some() { 1 } else { self.ev.tree.len(node) };
        for at in 0..count {
            let entry = single.unwrap_or_else(|| self.ev.tree.entry(node, at));
            if self.ev.tree.loop_name(entry.key).is_some() {
                if self.is_waiting_loop(entry) {
                    let value = self.waiting_loop(entry.value);
                    out.entries.push(Entry { value, ..entry });
                } else if self.rules.for_each && !self.left.contains(&entry.key) {
                    let from = out.entries.len();
                    self.for_each(entry, level, out);
                    out.close(from, Maker::ForEach);
                } else {
                    out.entries.push(entry);
                }
                continue;
            }
            match self.ev.tree.symbol(entry.key) {
                symbol::FN_MAP => continue,
                symbol::FN_MERGE => {
                    self.merge_members(entry.key, entry.value, level, is_fragment, out);
                    continue;
                }
                _ => {}
            }
            let key = if is_fragment { self.produced_key(entry, level) } else { Some(self.other_key(entry.key)) };
            let Some(key) = key else { continue };
            let value = self.member(key, entry.value, level);
            out.entries.extend(value.map(|value| Entry { key, value }));
        }
    }

    pub(super) fn member(&mut self, key: NodeId, value: NodeId, level: Level) -> Option<NodeId> {
        let Level::Section(section) = level else { return self.instantiate(value) };
        let (outer, outer_copied) = (self.in_list, self.copied.is_inside);
        if section == Section::Resources {
            self.in_list = 0;
            self.copied.is_inside = self.is_copied(value);
        }
        let worked = self.spent.calls;
        let made = self.instantiate(value);
        if self.spent.calls > worked {
            self.made.insert(key);
        }
        self.in_list = outer;
        self.copied.is_inside = outer_copied;
        made
    }

    fn for_each(&mut self, entry: Entry, level: Level, out: &mut GeneratedEntries) {
        let Some(of) = Loop::for_each(self.ev.tree, entry) else { return };
        if !self.bad.contains(&of.id) && !self.stopped && self.is_left_for_service(entry, &of) {
            out.entries.push(entry);
            return;
        }
        self.iterate(&of, |expander| expander.members(of.fragment, level, true, out));
    }
}
