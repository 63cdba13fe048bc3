//! Bytes of what is written again and again: subtrees that the iterations of a loop share.

/// Number of places that are remembered at once, at first and at most.
const SLOTS: usize = 1 << 8;
const MOST_SLOTS: usize = 1 << 14;

/// Bytes that are kept at most, over all places.
const MOST: usize = 1 << 19;

/// Bytes that are kept of one place at most.
const MOST_OF_ONE: usize = MOST >> 2;

/// What tells apart what is written: a number, such as that of a node, and whatever else its text depends on.
pub(super) type Key = (u32, u64);

/// Texts by their keys. A text is kept when it is written for the second time, and all are forgotten when
/// they become too many bytes.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// By their keys; empty before the first use.
    slots: Vec<Slot>,
    /// How many of them have a text.
    kept: usize,
    text: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: Key,
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Nothing is known.
    #[default]
    Empty,
    /// It was written once.
    Seen,
    /// Where its text is.
    Kept { start: u32, end: u32 },
}

/// What is to be done with something that is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copy<'c> {
    /// It was written before: this is its text.
    Known(&'c str),
    /// It is written for the second time: its text is to be kept.
    Keep,
    /// It is written.
    Write,
}

impl Copies {
    /// Looks up what is to be written.
    pub(super) fn get(&mut self, key: Key) -> Copy<'_> {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
        let at = self.index(key);
        let slot = &mut self.slots[at];
        match slot.state {
            State::Kept { start, end } if slot.key == key => Copy::Known(&self.text[start as usize..end as usize]),
            State::Seen if slot.key == key => Copy::Keep,
            // One that is kept was written twice: this one may never be again.
            State::Kept { .. } => Copy::Write,
            _ => {
                *slot = Slot { key, state: State::Seen };
                Copy::Write
            }
        }
    }

    /// Keeps the text of something, unless it is too large.
    pub(super) fn keep(&mut self, key: Key, text: &str) {
        if text.len() > MOST_OF_ONE {
            return;
        }
        if self.text.len() + text.len() > MOST {
            self.text.clear();
            self.slots.fill(Slot::default());
            self.kept = 0;
        } else if 2 * self.kept >= self.slots.len() && self.slots.len() < MOST_SLOTS {
            let more = vec![Slot::default(); 4 * self.slots.len()];
            for slot in std::mem::replace(&mut self.slots, more) {
                let at = self.index(slot.key);
                self.slots[at] = slot;
            }
        }
        let start = self.text.len() as u32;
        self.text.push_str(text);
        let at = self.index(key);
        self.slots[at] = Slot { key, state: State::Kept { start, end: self.text.len() as u32 } };
        self.kept += 1;
    }

    /// The slot of a key. Nodes that are written one after the other have numbers that follow each other.
    fn index(&self, (number, rest): Key) -> usize {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let hash = u64::from(number).wrapping_add(rest.wrapping_mul(SPREAD) >> 32);
        hash as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_kept_when_it_is_written_twice() {
        let mut copies = Copies::default();
        assert_eq!(copies.get((7, 1)), Copy::Write);
        assert_eq!(copies.get((7, 2)), Copy::Write, "another context");
        assert_eq!(copies.get((7, 1)), Copy::Keep);
        copies.keep((7, 1), "seven");
        assert_eq!(copies.get((7, 1)), Copy::Known("seven"));
        assert_eq!(copies.get((7, 2)), Copy::Keep);
        assert_eq!(copies.get((7 + SLOTS as u32, 1)), Copy::Write);
        assert_eq!(copies.get((7 + SLOTS as u32, 1)), Copy::Write, "the slot is taken");
        assert_eq!(copies.get((7, 1)), Copy::Known("seven"));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut copies = Copies::default();
        let text = "x".repeat(MOST_OF_ONE);
        for number in 0..100 {
            copies.get((number, 0));
            copies.get((number, 0));
            copies.keep((number, 0), &text);
            assert!(copies.text.len() <= MOST);
            assert_eq!(copies.get((number, 0)), Copy::Known(&text));
        }
        assert_eq!(copies.get((1, 0)), Copy::Write, "forgotten");
        copies.get((1, 0));
        copies.keep((1, 0), &"x".repeat(MOST_OF_ONE + 1));
        assert_eq!(copies.get((1, 0)), Copy::Keep);
    }
}
