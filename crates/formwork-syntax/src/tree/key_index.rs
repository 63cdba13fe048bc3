//! Look-up of keys in large mappings.

use std::sync::{Mutex, PoisonError};

use formwork_base::IdMap;

use super::Symbol;

/// Mappings of at most this many keys are searched from end to end.
pub(super) const FEW: usize = 32;

/// Positions of keys in large mappings that are looked up repeatedly: a single look-up is cheaper as a search, so a
/// mapping is indexed once it was searched [`SEARCHES`] times. A mapping is identified by the start of its links, which
/// copies share; links never change. A copy of the tree begins without.
#[derive(Debug, Default)]
pub(super) struct KeyIndex {
    known: Mutex<IdMap<u32, Searched>>,
}

#[derive(Debug)]
enum Searched {
    Times(u32),
    Indexed(IdMap<Symbol, u32>),
}

/// Number of searches that cost about as much as an index.
const SEARCHES: u32 = 4;

impl Clone for KeyIndex {
    fn clone(&self) -> KeyIndex {
        KeyIndex::default()
    }
}

impl KeyIndex {
    /// Returns the position of the last key with a name, in the mapping whose links begin at `map`.
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_map_that_is_asked_often_is_read_a_few_times() {
        let (index, read) = (KeyIndex::default(), Cell::new(0));
        let names: Vec<Symbol> = (0..1000).chain([7]).map(Symbol).collect();
        let names = || names.iter().copied().inspect(|_| read.set(read.get() + 1));
        for number in 0..1000 {
            let expected = if number == 7 { 1000 } else { number };
            assert_eq!(index.position(0, Symbol(number), names), Some(expected));
        }
        assert_eq!(index.position(0, Symbol(2000), names), None);
        assert!(read.get() <= 5 * 1001, "{}", read.get());
    }
}
