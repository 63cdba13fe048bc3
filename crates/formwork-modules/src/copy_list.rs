//! The copies that a `ForEach` generates, indexed by name and by selector, so that each of n references to one of n
//! copies is a single look-up.

use std::ops::Deref;
use std::rc::Rc;

use formwork_base::IdMap;
use formwork_syntax::{Symbol, Tree};
use rustc_hash::FxHashMap;

use super::groups::{ForEachCopy, Groups};

#[derive(Clone, Debug)]
pub(super) enum Copies {
    One(ForEachCopy),
    Many(Rc<CopyList>),
}

impl Default for Copies {
    fn default() -> Copies {
        Copies::Many(Rc::default())
    }
}

impl Deref for Copies {
    type Target = [ForEachCopy];

    fn deref(&self) -> &[ForEachCopy] {
        match self {
            Copies::One(copy) => std::slice::from_ref(copy),
            Copies::Many(list) => &list.copies,
        }
    }
}

pub(super) type Nested = IdMap<Symbol, Rc<CopyList>>;

#[derive(Default, Debug)]
pub(super) struct CopyList {
    copies: Vec<ForEachCopy>,
    by_name: IdMap<Symbol, usize>,
    by_identifier: FxHashMap<String, usize>,
    is_ambiguous: bool,
    nested: Nested,
}

impl CopyList {
    /// Indexes copies for the items of a collection; those of imports with a `ForEach` of their own are also in
    /// `nested`.
    pub(super) fn new(copies: Vec<ForEachCopy>, nested: Nested) -> CopyList {
        let is_ambiguous = !nested.is_empty() || copies.windows(2).any(|pair| pair[0].identifier == pair[1].identifier);
        let (mut by_name, mut by_identifier) = (IdMap::default(), FxHashMap::default());
        for (at, copy) in copies.iter().enumerate() {
            by_name.entry(copy.id).or_insert(at);
            if let Some(identifier) = &copy.identifier {
                by_identifier.entry(identifier.clone()).or_insert(at);
            }
        }
        CopyList { copies, by_name, by_identifier, is_ambiguous, nested }
    }
}

impl Copies {
    fn list(&self) -> Option<&CopyList> {
        match self {
            Copies::One(_) => None,
            Copies::Many(list) => Some(list),
        }
    }

    /// Returns `true` with several copies for one item: the imports that a loop generates for it follow each other.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.list().is_some_and(|list| list.is_ambiguous)
    }

    pub(super) fn named(&self, name: Symbol) -> Option<usize> {
        self.list()?.by_name.get(&name).copied()
    }

    /// Returns the copies of the import with a `ForEach` that has this name in an iteration.
    pub(super) fn nested(&self, name: Symbol) -> Option<Copies> {
        Some(Copies::Many(Rc::clone(self.list()?.nested.get(&name)?)))
    }

    pub(super) fn for_item(&self, identifier: &str) -> Option<usize> {
        self.list()?.by_identifier.get(identifier).copied()
    }

    /// Returns the indexes of the copies whose names are a beginning of `name`, in order.
    pub(super) fn in_front_of(&self, name: &str, tree: &Tree) -> Vec<usize> {
        if let Copies::One(copy) = self {
            return name.starts_with(tree.name(copy.id)).then_some(0).into_iter().collect();
        }
        let mut found: Vec<usize> = beginnings(name, tree).filter_map(|symbol| self.named(symbol)).collect();
        found.sort_unstable();
        found
    }
}

impl Groups {
    /// Returns the entries that may generate a name at the beginning of `name`, in order: those with such a name, and
    /// all loops.
    pub(super) fn in_front_of(&self, name: &str, tree: &Tree) -> Vec<Symbol> {
        let own = beginnings(name, tree).filter(|&group| self.get(group).is_some());
        let mut found: Vec<Symbol> = own.chain(self.loops.iter().copied()).collect();
        found.sort_unstable_by_key(|group| self.places.get(group));
        found.dedup();
        found
    }
}

fn beginnings<'n>(name: &'n str, tree: &'n Tree) -> impl Iterator<Item = Symbol> + 'n {
    let ends = name.char_indices().map(|(at, _)| at).skip(1).chain([name.len()]);
    ends.filter_map(|end| tree.symbols().get(&name[..end]))
}
