//! The deep union of `Metadata` and `Globals`.

use formwork_syntax::{Entry, Kind, NodeId, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conflict::Conflict;
use crate::equal::is_equal;
use crate::merger::Merger;

/// The metadata of consoles, whose lists are joined.
const INTERFACE: &str = "Metadata.AWS::CloudFormation::Interface";

impl Merger<'_> {
    /// Unites values at one path: objects key by key, lists of the interface of consoles one behind the other. Other values
    /// have to be the same. `blank` is the first place, which may have no content.
    pub(crate) fn deep(&mut self, path: &str, blank: Entry, found: &[Entry]) -> NodeId {
        let filled: Vec<Entry> = found.iter().copied().filter(|one| !self.is_blank(one.value)).collect();
        let Some(&first) = filled.first() else { return blank.value };
        let is_first = blank.key == first.key;
        if is_first && filled.iter().all(|one| is_equal(self.tree, first.value, one.value)) {
            return first.value;
        }
        let is_all = |merger: &Self, kind: Kind| filled.iter().all(|one| merger.tree.kind(one.value) == kind);
        if is_all(self, Kind::Map) {
            return self.deep_maps(path, &filled);
        }
        if is_all(self, Kind::List) && path.starts_with(INTERFACE) {
            return self.joined(path, first.value, &filled);
        }
        for other in filled.iter().skip(1) {
            if !is_equal(self.tree, first.value, other.value) {
                self.report(&Conflict::of_value(path), first.key, other.key);
            }
        }
        first.value
    }

    fn deep_maps(&mut self, path: &str, found: &[Entry]) -> NodeId {
        let mut groups: Vec<Vec<Entry>> = Vec::new();
        let mut known: FxHashMap<Symbol, usize> = FxHashMap::default();
        for map in found {
            self.add_part(map.key, map.value);
            for member in self.members(map.value) {
                let at = *known.entry(self.tree.symbol(member.key)).or_insert(groups.len());
                match groups.get_mut(at) {
                    Some(group) => group.push(member),
                    None => groups.push(vec![member]),
                }
            }
        }
        let mut entries = Vec::new();
        for group in &groups {
            let Some(&first) = group.first() else { continue };
            let value = if group.len() == 1 {
                first.value
            } else {
                let path = format!("{path}.{}", self.tree.text(first.key));
                self.deep(&path, first, group)
            };
            entries.push(Entry { key: first.key, value });
        }
        self.new_map(&entries, found.first().map(|map| map.value))
    }

    /// Joins lists of the interface. Groups with the same label are one; an element that is there already is left out.
    fn joined(&mut self, path: &str, first: NodeId, found: &[Entry]) -> NodeId {
        let mut groups: Vec<Vec<NodeId>> = Vec::new();
        let mut labels: FxHashMap<String, usize> = FxHashMap::default();
        for list in found {
            self.add_part(list.key, list.value);
            for &item in self.tree.items(list.value) {
                let known = self.label(item).map(|label| *labels.entry(label).or_insert(groups.len()));
                match known.and_then(|at| groups.get_mut(at)) {
                    Some(group) => group.push(item),
                    None => groups.push(vec![item]),
                }
            }
        }
        let items: Vec<NodeId> = groups.iter().filter_map(|group| self.group(path, group)).collect();
        self.new_list(&items, first)
    }

    /// The identity of an element: the label of a group, or the text of a scalar.
    fn label(&self, item: NodeId) -> Option<String> {
        if self.tree.is_scalar(item) {
            return Some(format!("={}", self.tree.text_form(item)));
        }
        let label = self.tree.data_member(item, "Label")?;
        let text = self.tree.data_member(label, "default").unwrap_or(label);
        self.tree.is_scalar(text).then(|| self.tree.text_form(text).to_owned())
    }

    fn group(&mut self, path: &str, group: &[NodeId]) -> Option<NodeId> {
        let first = *group.first()?;
        let is_same = group.iter().all(|&other| is_equal(self.tree, first, other));
        if is_same || self.tree.kind(first) != Kind::Map {
            return Some(first);
        }
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        let (mut names, mut members): (Vec<Symbol>, Vec<Entry>) = (Vec::new(), Vec::new());
        for &item in group {
            for member in self.members(item) {
                let name = self.tree.symbol(member.key);
                if seen.insert(name) {
                    names.push(name);
                }
                members.push(member);
            }
        }
        let mut entries = Vec::new();
        for name in names {
            let same: Vec<Entry> =
                members.iter().copied().filter(|member| self.tree.symbol(member.key) == name).collect();
            let Some(&member) = same.first() else { continue };
            let path = format!("{path}.{}", self.tree.text(member.key));
            let value = if same.len() == 1 { member.value } else { self.deep(&path, member, &same) };
            entries.push(Entry { key: member.key, value });
        }
        Some(self.new_map(&entries, Some(first)))
    }
}
