//! The union of parsed templates.

use formwork_base::Diagnostics;
use formwork_syntax::{Entry, NodeId, Symbol, Tree, symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conflict::Conflict;
use crate::equal::is_equal;
use crate::merger::Merger;

/// The union of several templates.
#[derive(Debug)]
pub struct Merged {
    /// The root. It is that of the file if there is only one.
    pub root: NodeId,
    /// The collections that the union created; all others are authored in one file.
    pub(crate) made: FxHashSet<NodeId>,
    /// The authored collections whose entries are in a created one, each with its key.
    pub(crate) parts: Vec<(Option<NodeId>, NodeId)>,
}

/// Returns the union of templates (reference/merge.md#rules). A root that is not an object has no entries. Keys of one
/// file that are duplicates stay so.
pub fn merge(tree: &mut Tree, roots: &[NodeId], diagnostics: &mut Diagnostics) -> Merged {
    let mut merger = Merger { tree, diagnostics, made: FxHashSet::default(), parts: Vec::new() };
    let root = merger.root(roots);
    Merged { root, made: merger.made, parts: merger.parts }
}

impl Merger<'_> {
    fn root(&mut self, roots: &[NodeId]) -> NodeId {
        if let &[only] = roots {
            return only;
        }
        let mut sections: Vec<Vec<Entry>> = Vec::new();
        let mut known: FxHashMap<Symbol, usize> = FxHashMap::default();
        for &root in roots {
            self.parts.push((None, root));
            for section in self.members(root) {
                let at = *known.entry(self.tree.symbol(section.key)).or_insert(sections.len());
                match sections.get_mut(at) {
                    Some(found) => found.push(section),
                    None => sections.push(vec![section]),
                }
            }
        }
        let entries: Vec<Entry> = sections.iter().filter_map(|found| self.section(found)).collect();
        let first = roots.first().copied();
        self.new_map(&entries, first)
    }

    fn section(&mut self, found: &[Entry]) -> Option<Entry> {
        let first = *found.first()?;
        if found.len() == 1 {
            return Some(first);
        }
        let value = match self.tree.symbol(first.key) {
            symbol::DESCRIPTION => self.description(first, found),
            symbol::FORMAT_VERSION => self.only_value(first, found),
            symbol::TRANSFORM => self.transforms(first, found),
            symbol::METADATA | symbol::GLOBALS => {
                let path = self.tree.text(first.key).to_owned();
                self.deep(&path, first, found)
            }
            _ => self.union(first, found),
        };
        Some(Entry { key: first.key, value })
    }

    /// Unites the entries of a section. A section without content adds nothing.
    fn union(&mut self, first: Entry, found: &[Entry]) -> NodeId {
        let filled: Vec<Entry> = found.iter().copied().filter(|section| !self.is_blank(section.value)).collect();
        let Some(&whole) = filled.first() else { return first.value };
        if !self.tree.is_data_object(whole.value) {
            return self.only_value(whole, &filled);
        }
        let section = self.tree.text(first.key).to_owned();
        let mut entries: Vec<Entry> = Vec::new();
        let mut known: FxHashMap<Symbol, (usize, usize)> = FxHashMap::default();
        for (number, part) in filled.iter().enumerate() {
            if !self.tree.is_data_object(part.value) {
                self.report(&Conflict::of_value(&section), whole.key, part.key);
                continue;
            }
            self.parts.push((Some(part.key), part.value));
            for member in self.members(part.value) {
                let (at, from) = *known.entry(self.tree.symbol(member.key)).or_insert((entries.len(), number));
                match entries.get(at).copied() {
                    Some(other) if from != number => {
                        if !is_equal(self.tree, other.value, member.value) {
                            let name = self.tree.text(member.key).to_owned();
                            self.report(&Conflict::of_member(&section, &name), other.key, member.key);
                        }
                    }
                    _ => entries.push(member),
                }
            }
        }
        self.new_map(&entries, Some(whole.value))
    }

    /// Returns the first value; each other one that differs is an error.
    pub(crate) fn only_value(&mut self, first: Entry, found: &[Entry]) -> NodeId {
        for other in
            found.iter().filter(|other| !is_equal(self.tree, first.value, other.value)).copied().collect::<Vec<_>>()
        {
            let name = self.tree.text(first.key).to_owned();
            self.report(&Conflict::of_value(&name), first.key, other.key);
        }
        first.value
    }

    fn description(&mut self, first: Entry, found: &[Entry]) -> NodeId {
        for other in found.iter().skip(1) {
            if !is_equal(self.tree, first.value, other.value) {
                let (kept, left_out) = (self.tree.span(first.value), self.tree.span(other.value));
                self.diagnostics.push(crate::conflict::other_description(kept, left_out));
            }
        }
        first.value
    }
}
