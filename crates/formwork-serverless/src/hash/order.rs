//! The slots of dictionaries of `CPython` 2.7.

/// The order of the keys of a dictionary: each has the number that its owner knows it by.
///
/// The table is open: a key is in the first free slot of a walk that begins at its hash, a removed key leaves a mark
/// that later walks pass, and a table of which two thirds are used grows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    /// A power of two.
    slots: Vec<Slot>,
    /// Slots that are or were used.
    filled: usize,
    used: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Slot {
    #[default]
    Free,
    Removed,
    Used {
        hash: u64,
        number: u32,
    },
}

/// Slots of an empty table.
const SMALLEST: usize = 8;
/// Tables with more entries than this grow more slowly.
const MANY: usize = 50_000;
/// Bits of the hash that each step of a walk consumes.
const STEP_BITS: u32 = 5;

impl Default for Order {
    fn default() -> Order {
        Order::of_size(SMALLEST)
    }
}

impl Order {
    fn of_size(size: usize) -> Order {
        Order { slots: vec![Slot::Free; size], filled: 0, used: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Returns the numbers in Python's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Used { number, .. } => Some(*number),
            Slot::Free | Slot::Removed => None,
        })
    }

    /// Returns the number of a key.
    pub(super) fn get(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        match self.slots.get(self.find(hash, is_it))? {
            Slot::Used { number, .. } => Some(*number),
            Slot::Free | Slot::Removed => None,
        }
    }

    /// Adds a key that the dictionary does not have.
    pub(crate) fn insert(&mut self, hash: u64, number: u32) {
        self.put(hash, number);
        if self.filled * 3 >= self.slots.len() * 2 {
            self.resize(self.used * if self.used > MANY { 2 } else { 4 });
        }
    }

    /// Removes a key. Its slot is not free afterwards, which later insertions and the growth of the table depend on.
    pub(crate) fn remove(&mut self, hash: u64, number: u32) {
        let index = self.find(hash, |other| other == number);
        if let Some(slot @ Slot::Used { .. }) = self.slots.get_mut(index) {
            *slot = Slot::Removed;
            self.used -= 1;
        }
    }

    /// Makes the order that of a copy of a copy of the dictionary, and so on: its keys are added to an empty one in
    /// their order.
    pub(crate) fn copy(&mut self, times: u32) {
        for _ in 0..times {
            let mut new = Order::default();
            for slot in &self.slots {
                if let Slot::Used { hash, number } = slot {
                    new.insert(*hash, *number);
                }
            }
            // A copy like its original has only such copies.
            if new == *self {
                return;
            }
            *self = new;
        }
    }

    /// Returns the order of a new dictionary that is updated with this one.
    pub(crate) fn merged(&self) -> Order {
        let mut new = Order::default();
        new.reserve(self.used);
        for slot in &self.slots {
            if let Slot::Used { hash, number } = slot {
                new.insert(*hash, *number);
            }
        }
        new
    }

    /// Grows as before an update with as many entries of another dictionary, whether the keys are new or not.
    pub(crate) fn reserve(&mut self, count: usize) {
        if (self.filled + count) * 3 >= self.slots.len() * 2 {
            self.resize((self.used + count) * 2);
        }
    }

    fn put(&mut self, hash: u64, number: u32) {
        let index = self.find(hash, |other| other == number);
        let Some(slot) = self.slots.get_mut(index) else { return };
        self.filled += usize::from(*slot == Slot::Free);
        *slot = Slot::Used { hash, number };
        self.used += 1;
    }

    /// Returns the slot of a key, or the one that it would get.
    fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() as u64 - 1;
        let (mut walk, mut rest) = (hash & mask, hash);
        let mut reusable = None;
        loop {
            let index = (walk & mask) as usize;
            match self.slots.get(index) {
                Some(Slot::Used { hash: other, number }) if *other == hash && is_it(*number) => return index,
                Some(Slot::Used { .. }) => {}
                Some(Slot::Removed) => reusable = reusable.or(Some(index)),
                Some(Slot::Free) | None => return reusable.unwrap_or(index),
            }
            walk = walk.wrapping_mul(5).wrapping_add(rest).wrapping_add(1);
            rest >>= STEP_BITS;
        }
    }

    /// Makes a table of more slots than asked for, and moves the keys in their order.
    fn resize(&mut self, asked: usize) {
        let mut size = SMALLEST;
        while size <= asked {
            size *= 2;
        }
        let old = std::mem::replace(self, Order::of_size(size));
        for slot in old.slots {
            if let Slot::Used { hash, number } = slot {
                self.put(hash, number);
            }
        }
    }
}

/// Returns the hash of a string in 64-bit `CPython` 2.7, without randomization.
pub(crate) fn hash(text: &str) -> u64 {
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

    fn of(keys: &[&str]) -> Order {
        let mut order = Order::default();
        for (number, key) in keys.iter().enumerate() {
            order.insert(hash(key), number as u32);
        }
        order
    }

    fn keys<'k>(order: &Order, keys: &[&'k str]) -> Vec<&'k str> {
        order.iter().map(|number| keys[number as usize]).collect()
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
        let mut order = of(&["a", "b", "c", "d", "e"]);
        order.remove(hash("b"), 1);
        assert_eq!((order.len(), order.filled, order.slots.len()), (4, 5, 8));
        order.insert(hash("b"), 5);
        assert_eq!((order.len(), order.filled, order.slots.len()), (5, 5, 8));
        assert!(order.get(hash("b"), |number| number == 5).is_some());
        order.remove(hash("z"), 9);
        assert_eq!(order.len(), 5);
    }

    #[test]
    fn a_table_grows_when_two_thirds_are_filled() {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut order = of(&names);
        assert_eq!(order.slots.len(), 32);
        assert_eq!(keys(&order, &names), ["a", "c", "b", "e", "d", "f"]);
        order.remove(hash("a"), 0);
        assert_eq!(keys(&order, &names), ["c", "b", "e", "d", "f"]);
    }

    #[test]
    fn a_copy_has_no_marks_of_removed_keys() {
        let mut order = of(&["a", "b", "c", "d", "e"]);
        order.remove(hash("b"), 1);
        order.copy(3);
        assert_eq!((order.len(), order.filled), (4, 4));
    }
}
