//! Maps and sets by numbers that are assigned one after another, such as those of nodes and symbols.
//!
//! Such numbers are mostly looked up in their order, too. A usual hash function spreads them over the whole table,
//! which no longer fits in a processor's caches when there are many. Here neighbours stay beside each other.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers that are assigned one after another, or by tuples that begin with one.
pub type IdMap<K, V> = HashMap<K, V, BuildHasherDefault<IdHasher>>;

/// A set of numbers that are assigned one after another, or of tuples that begin with one.
pub type IdSet<K> = HashSet<K, BuildHasherDefault<IdHasher>>;

/// A hash function that keeps consecutive numbers beside each other, for [`IdMap`].
///
/// Numbers at equal distances share slots. For all keys together, at most a thirty-second of all assigned numbers is
/// then compared in vain.
#[derive(Clone, Copy, Debug)]
pub struct IdHasher {
    sum: u64,
    /// The factor of the next number: 1 for the first, so that it determines the order.
    weight: u64,
}

/// Odd, with bits spread evenly: the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The bits that choose a slot in a table. Those above choose the tag of a key, which must differ among neighbours.
const PLACE: u64 = (1 << 25) - 1;

impl Default for IdHasher {
    fn default() -> IdHasher {
        IdHasher { sum: 0, weight: 1 }
    }
}

impl Hasher for IdHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.sum & PLACE | self.sum.wrapping_mul(FACTOR) & !PLACE
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.sum = self.sum.wrapping_add(number.wrapping_mul(self.weight));
        self.weight = self.weight.wrapping_mul(FACTOR);
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u8(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, Hash};

    use super::*;

    fn hash(key: impl Hash) -> u64 {
        BuildHasherDefault::<IdHasher>::default().hash_one(key)
    }

    #[test]
    fn neighbours_have_places_beside_each_other_and_other_tags() {
        for number in [0_u32, 7, 1 << 20] {
            assert_eq!(hash(number + 1) & PLACE, (hash(number) + 1) & PLACE);
            assert_eq!(hash((number + 1, 5_u32)) & PLACE, (hash((number, 5_u32)) + 1) & PLACE);
            let tags: HashSet<u64> = (number..number + 16).map(|number| hash(number) >> 57).collect();
            assert!(tags.len() > 12, "{tags:?}");
        }
        assert_ne!(hash((1_u32, 2_u32)), hash((2_u32, 1_u32)));
    }

    #[test]
    fn what_was_inserted_is_found_at_any_distance() {
        for distance in [1, 2, 3, 64, 1000, 1 << 16] {
            let map: IdMap<u32, usize> = (0..3000).map(|at| (at * distance, at as usize)).collect();
            let set: IdSet<(u32, u32)> = (0..3000).map(|at| (at * distance, at)).collect();
            for at in 0..3000 {
                assert_eq!(map.get(&(at * distance)), Some(&(at as usize)));
                assert!(set.contains(&(at * distance, at)) && !set.contains(&(at * distance, at + 1)));
            }
            assert!(!map.contains_key(&(3000 * distance)));
        }
    }
}
