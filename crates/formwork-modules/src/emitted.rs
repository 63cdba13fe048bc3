//! The output of a run so far.

use formwork_base::{IdMap, IdSet};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, NodeId, Origin, Style, Symbol, Tree};
use rustc_hash::FxHashSet;

use super::instance::InstanceId;
use super::{Linked, Linker};

pub(super) struct Emitted {
    pub(super) result: Linked,
    pub(super) conditions: IdMap<Symbol, NodeId>,
    pub(super) mappings: IdMap<Symbol, NodeId>,
    pub(super) mappings_in_order: Vec<Symbol>,
    pub(super) condition_owners: IdMap<Symbol, InstanceId>,
    pub(super) combined: IdMap<(Symbol, Symbol), Symbol>,
    /// Names of conditions and mappings with two meanings, which was reported.
    pub(super) conflicts: IdSet<Symbol>,
    pub(super) mapping_names: IdMap<NodeId, IdMap<Symbol, Vec<Entry>>>,
    pub(super) transforms: Vec<NodeId>,
    pub(super) entries: Vec<Entry>,
    pub(super) names: IdMap<Symbol, NodeId>,
    /// Full IDs of resources with a copy that a false condition removed.
    pub(super) with_removed_copy: FxHashSet<String>,
}

impl Emitted {
    pub(super) fn new(is_module_document: bool) -> Emitted {
        Emitted {
            result: Linked { is_module_document, ..Linked::default() },
            conditions: IdMap::default(),
            mappings: IdMap::default(),
            mappings_in_order: Vec::new(),
            condition_owners: IdMap::default(),
            combined: IdMap::default(),
            conflicts: IdSet::default(),
            mapping_names: IdMap::default(),
            transforms: Vec::new(),
            entries: Vec::new(),
            names: IdMap::default(),
            with_removed_copy: FxHashSet::default(),
        }
    }

    /// Returns a value at its original place, from which it may be passed on through several modules.
    pub(super) fn written_value(&self, mut value: NodeId) -> NodeId {
        while let Some(inserted) = self.result.inserted.get(&value) {
            value = inserted.value;
        }
        value
    }

    /// Returns a name that no condition with another body has: the name itself, else with a number behind it.
    pub(super) fn free_condition(&self, tree: &mut Tree, name: Symbol, body: NodeId) -> Symbol {
        let (mut free, mut number) = (name, 1);
        while self.conditions.get(&free).is_some_and(|&known| !tree.same_data(known, body)) {
            number += 1;
            free = tree.intern(&format!("{}{number}", tree.name(name)));
        }
        free
    }

    pub(super) fn mappings_named(&mut self, tree: &Tree, name: &str, section: NodeId) -> Vec<Entry> {
        let names = self.mapping_names.entry(section).or_insert_with(|| {
            let mut names: IdMap<Symbol, Vec<Entry>> = IdMap::default();
            for entry in tree.entries(section) {
                names.entry(tree.symbol(entry.key)).or_default().push(entry);
            }
            names
        });
        tree.symbols().get(name).and_then(|name| names.get(&name)).cloned().unwrap_or_default()
    }
}

impl Linker<'_> {
    pub(super) fn both_conditions(&mut self, outer: Option<Symbol>, own: Symbol, place: NodeId) -> Symbol {
        let Some(outer) = outer.filter(|&outer| outer != own) else { return own };
        let both = self.tree.intern(&format!("{}And{}", self.tree.name(outer), self.tree.name(own)));
        if let Some(&known) = self.emitted.combined.get(&(outer, own)) {
            return known;
        }
        let frame = self.tree.frame_of(place);
        let operands = [outer, own].map(|name| {
            let text = self.name_in_place(place, name, frame);
            self.call_made(Known::Condition, text, place, frame)
        });
        let list = self.tree.list(&operands, Style::Plain, Origin::Generated(place, frame));
        let body = self.call_made(Known::And, list, place, frame);
        let both = self.emitted.free_condition(self.tree, both, body);
        self.emitted.conditions.insert(both, body);
        self.emitted.combined.insert((outer, own), both);
        both
    }
}
