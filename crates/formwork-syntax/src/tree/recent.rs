//! Names that were interned lately: most keys of a template were there before.

/// Number of slots, a power of two.
const SLOTS: usize = 128;

/// A table in front of the interner's. A name has one slot, which the last one that needed it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// Empty until the first name is noted.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    /// Zero in a slot that is free.
    name: Name,
    symbol: u32,
}

/// What distinguishes names of the same length: all of a name of up to 16 bytes, both ends of a longer one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Name {
    first: u64,
    last: u64,
    len: u32,
}

impl Name {
    /// Returns what distinguishes a name. Empty ones are not kept.
    #[inline]
    pub(super) fn of(text: &str) -> Option<Name> {
        let bytes = text.as_bytes();
        let len = bytes.len() as u32;
        if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            return Some(Name { first: u64::from_le_bytes(*first), last: u64::from_le_bytes(*last), len });
        }
        if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            let (first, last) = (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into());
            return Some(Name { first, last, len });
        }
        let (&first, &last) = (bytes.first()?, bytes.last()?);
        let middle = bytes[bytes.len() / 2];
        Some(Name { first: u64::from(first) | u64::from(middle) << 8, last: last.into(), len })
    }

    /// Whether two names that are equal here may differ.
    #[inline]
    pub(super) fn is_part(self) -> bool {
        self.len > 16
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = (self.first ^ self.last.rotate_left(29) ^ u64::from(self.len)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
    }
}

impl Recent {
    /// Returns the number of the symbol of a name, when its slot holds it.
    #[inline]
    pub(super) fn get(&self, name: Name) -> Option<u32> {
        let slot = self.slots.get(name.slot())?;
        (slot.name == name).then_some(slot.symbol)
    }

    /// Notes the number of the symbol of a name.
    pub(super) fn set(&mut self, name: Name, symbol: u32) {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOTS];
        }
        self.slots[name.slot()] = Slot { name, symbol };
    }

    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_distinguished_by_every_byte() {
        for len in 1..=16 {
            let name = "abcdefghijklmnop"[..len].to_owned();
            for at in 0..len {
                let mut other = name.clone().into_bytes();
                other[at] = b'z';
                let other = String::from_utf8(other).expect("letters");
                assert_ne!(Name::of(&name), Name::of(&other), "{name} {other}");
                assert!(!Name::of(&name).is_some_and(Name::is_part));
            }
        }
        assert_eq!(Name::of(""), None);
        assert_ne!(Name::of("aa"), Name::of("aaa"));
        assert!(Name::of("12345678901234567").is_some_and(Name::is_part));
    }

    #[test]
    fn the_last_name_of_a_slot_is_kept() {
        let mut recent = Recent::default();
        for number in 0..1000 {
            let name = Name::of(&format!("Name{number}")).expect("not empty");
            assert_eq!(recent.get(name), None);
            recent.set(name, number);
            assert_eq!(recent.get(name), Some(number));
        }
        recent.clear();
        assert_eq!(recent.get(Name::of("Name999").expect("not empty")), None);
    }
}
