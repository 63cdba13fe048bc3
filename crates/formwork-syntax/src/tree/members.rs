//! Look-up of keys in large maps.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::{Entry, Symbol, Tree};

/// Maps of at most so many keys are searched from end to end.
pub(super) const FEW: usize = 32;

/// Positions of keys in large maps that are looked up repeatedly: one look-up costs less by a
/// search, so a map is indexed once it was searched from end to end [`SEARCHES`] times. A map is identified by where its
/// links begin, which copies share; links never change. A copy of the tree begins without.
#[derive(Debug, Default)]
pub(super) struct Members {
    known: Mutex<FxHashMap<u32, Searched>>,
}

/// What is known of a map.
#[derive(Debug)]
enum Searched {
    /// It was searched so many times.
    Times(u32),
    /// Positions of its keys.
    Indexed(FxHashMap<Symbol, u32>),
}

/// Searches that cost about as much as an index.
const SEARCHES: u32 = 4;

impl Clone for Members {
    fn clone(&self) -> Members {
        Members::default()
    }
}

impl Members {
    /// The position of the last key with a name, in the map whose links begin at `map`.
    pub(super) fn position<I>(&self, map: u32, name: Symbol, names: impl Fn() -> I) -> Option<u32>
    where
        I: DoubleEndedIterator<Item = Symbol> + ExactSizeIterator,
    {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let searched = known.entry(map).or_insert(Searched::Times(0));
        if let Searched::Times(times) = searched {
            if *times < SEARCHES {
                *times += 1;
                return names().rposition(|known| known == name).map(|at| at as u32);
            }
            *searched = Searched::Indexed(names().zip(0..).collect());
        }
        match searched {
            Searched::Indexed(index) => index.get(&name).copied(),
            Searched::Times(_) => None,
        }
    }
}

impl Tree {
    /// Whether two of these entries have the same key. It may return true for few entries when none have.
    pub fn may_repeat_keys(&self, entries: &[Entry]) -> bool {
        if entries.len() <= FEW {
            return entries.len() > 1;
        }
        let mut seen = vec![0_u64; self.symbols.count() / 64 + 1];
        entries.iter().any(|entry| {
            let number = self.symbol(entry.key).number();
            let (word, bit) = (&mut seen[number / 64], 1 << (number % 64));
            let is_again = *word & bit != 0;
            *word |= bit;
            is_again
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use formwork_base::Span;

    use super::super::{Kind, Origin, Style};
    use super::*;

    #[test]
    fn a_map_that_is_asked_often_is_read_a_few_times() {
        let (members, read) = (Members::default(), Cell::new(0));
        let names: Vec<Symbol> = (0..1000).chain([7]).map(Symbol).collect();
        let names = || names.iter().copied().inspect(|_| read.set(read.get() + 1));
        for number in 0..1000 {
            let expected = if number == 7 { 1000 } else { number };
            assert_eq!(members.position(0, Symbol(number), names), Some(expected));
        }
        assert_eq!(members.position(0, Symbol(2000), names), None);
        assert!(read.get() <= 5 * 1001, "{}", read.get());
    }

    #[test]
    fn a_repeated_key_is_found_among_many_entries() {
        let (mut tree, authored) = (Tree::new(), Origin::Authored(Span::NONE));
        let value = tree.scalar(Kind::Null, Style::Plain, "", authored);
        let entry = |tree: &mut Tree, number: usize| Entry {
            key: tree.key(&format!("key {number}"), Style::Plain, authored),
            value,
        };
        let mut entries: Vec<Entry> = (0..500).map(|number| entry(&mut tree, number)).collect();
        assert!(!tree.may_repeat_keys(&entries));
        for number in [0, 63, 64, 499] {
            entries.push(entry(&mut tree, number));
            assert!(tree.may_repeat_keys(&entries), "key {number}");
            entries.pop();
        }
        let two = [entries[7], entry(&mut tree, 7)];
        assert!(tree.may_repeat_keys(&two) && !tree.may_repeat_keys(&two[..1]));
    }
}
