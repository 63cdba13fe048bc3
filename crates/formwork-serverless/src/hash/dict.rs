//! Dictionaries in the order of `CPython` 2.7.

use super::data::{Data, Text};

/// A dictionary whose entries have the order of `CPython` 2.7 for the same insertions and removals.
///
/// The table is open: an entry is in the first free slot of a walk that begins at the key's hash, a removed entry leaves
/// a mark that later walks pass, and a table of which two thirds are used grows.
#[derive(Clone, Debug)]
pub(crate) struct Dict {
    /// A power of two.
    slots: Vec<Slot>,
    /// Slots that are or were used.
    filled: usize,
    used: usize,
}

#[derive(Clone, Debug, Default)]
enum Slot {
    #[default]
    Free,
    Removed,
    Entry(Box<Entry>),
}

#[derive(Clone, Debug)]
struct Entry {
    hash: u64,
    key: Text,
    value: Data,
}

/// Slots of an empty table.
const SMALLEST: usize = 8;
/// Tables with more entries than this grow more slowly.
const MANY: usize = 50_000;
/// Bits of the hash that each step of a walk consumes.
const STEP_BITS: u32 = 5;

impl Default for Dict {
    fn default() -> Dict {
        Dict { slots: free(SMALLEST), filled: 0, used: 0 }
    }
}

fn free(count: usize) -> Vec<Slot> {
    std::iter::repeat_with(Slot::default).take(count).collect()
}

impl Dict {
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Returns the entries in Python's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Text, &Data)> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Entry(entry) => Some((&entry.key, &entry.value)),
            Slot::Free | Slot::Removed => None,
        })
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Data> {
        match self.slots.get(self.find(key, hash(key)))? {
            Slot::Entry(entry) => Some(&entry.value),
            Slot::Free | Slot::Removed => None,
        }
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Data> {
        let index = self.find(key, hash(key));
        match self.slots.get_mut(index)? {
            Slot::Entry(entry) => Some(&mut entry.value),
            Slot::Free | Slot::Removed => None,
        }
    }

    /// Sets the value of a key. A key that exists keeps its place and its kind of string.
    pub(crate) fn insert(&mut self, key: Text, value: Data) {
        let hash = hash(&key.value);
        if !self.put(Entry { hash, key, value }) {
            return;
        }
        if self.filled * 3 >= self.slots.len() * 2 {
            self.resize(self.used * if self.used > MANY { 2 } else { 4 });
        }
    }

    /// Removes a key. Its slot is not free afterwards, which later insertions and the growth of the table depend on.
    pub(crate) fn remove(&mut self, key: &str) -> Option<Data> {
        let index = self.find(key, hash(key));
        let slot = self.slots.get_mut(index)?;
        if !matches!(slot, Slot::Entry(_)) {
            return None;
        }
        self.used -= 1;
        match std::mem::replace(slot, Slot::Removed) {
            Slot::Entry(entry) => Some(entry.value),
            Slot::Free | Slot::Removed => None,
        }
    }

    /// Stores an entry. Returns whether the key is new.
    fn put(&mut self, entry: Entry) -> bool {
        let index = self.find(&entry.key.value, entry.hash);
        let Some(slot) = self.slots.get_mut(index) else { return false };
        match slot {
            Slot::Entry(old) => {
                old.value = entry.value;
                return false;
            }
            Slot::Free => self.filled += 1,
            Slot::Removed => {}
        }
        *slot = Slot::Entry(Box::new(entry));
        self.used += 1;
        true
    }

    /// Returns the slot of a key, or the one that it would get.
    fn find(&self, key: &str, hash: u64) -> usize {
        let mask = self.slots.len() as u64 - 1;
        let (mut walk, mut rest) = (hash & mask, hash);
        let mut reusable = None;
        loop {
            let index = (walk & mask) as usize;
            match self.slots.get(index) {
                Some(Slot::Entry(entry)) if entry.hash == hash && entry.key.value == key => return index,
                Some(Slot::Entry(_)) => {}
                Some(Slot::Removed) => reusable = reusable.or(Some(index)),
                Some(Slot::Free) | None => return reusable.unwrap_or(index),
            }
            walk = walk.wrapping_mul(5).wrapping_add(rest).wrapping_add(1);
            rest >>= STEP_BITS;
        }
    }

    /// Makes a table of more slots than asked for, and moves the entries in their order.
    fn resize(&mut self, asked: usize) {
        let mut size = SMALLEST;
        while size <= asked {
            size *= 2;
        }
        let old = std::mem::replace(&mut self.slots, free(size));
        (self.filled, self.used) = (0, 0);
        for slot in old {
            if let Slot::Entry(entry) = slot {
                self.put(*entry);
            }
        }
    }
}

/// Returns the hash of a string in 64-bit `CPython` 2.7, without randomization.
fn hash(text: &str) -> u64 {
    let Some(first) = text.chars().next() else { return 0 };
    let mut hash = u64::from(u32::from(first)) << 7;
    let mut length = 0_u64;
    for character in text.chars() {
        hash = hash.wrapping_mul(1_000_003) ^ u64::from(u32::from(character));
        length += 1;
    }
    hash ^= length;
    // -1 marks an error in C.
    if hash == u64::MAX { hash - 1 } else { hash }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dict(keys: &[&str]) -> Dict {
        let mut dict = Dict::default();
        for key in keys {
            dict.insert(Text { value: (*key).to_owned(), is_unicode: true }, Data::Null);
        }
        dict
    }

    fn keys(dict: &Dict) -> Vec<&str> {
        dict.iter().map(|(key, _)| key.value.as_str()).collect()
    }

    /// Published values of `hash()` of 64-bit `CPython` 2.7.
    #[test]
    fn hashes_are_those_of_python() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("a").cast_signed(), 12_416_037_344);
        assert_eq!(hash("é").cast_signed(), 29_824_089_448);
        assert_eq!(hash("abc").cast_signed(), 1_453_079_729_188_098_211);
    }

    #[test]
    fn a_removed_key_leaves_its_slot_filled() {
        let mut dict = dict(&["a", "b", "c", "d", "e"]);
        dict.remove("b");
        assert_eq!((dict.len(), dict.filled, dict.slots.len()), (4, 5, 8));
        dict.insert(Text { value: "b".to_owned(), is_unicode: true }, Data::Null);
        assert_eq!((dict.len(), dict.filled, dict.slots.len()), (5, 5, 8));
        assert!(dict.get("b").is_some() && dict.remove("z").is_none());
    }

    #[test]
    fn a_table_grows_when_two_thirds_are_filled() {
        let mut dict = dict(&["a", "b", "c", "d", "e", "f"]);
        assert_eq!(dict.slots.len(), 32);
        assert_eq!(keys(&dict), ["a", "c", "b", "e", "d", "f"]);
        dict.remove("a");
        assert_eq!(keys(&dict), ["c", "b", "e", "d", "f"]);
    }
}
