//! Bytes of what is written again and again: subtrees that the iterations of a loop share.

/// Number of places that are remembered at the same time, at first and at most.
const SLOTS: usize = 1 << 9;
const MOST_SLOTS: usize = SLOTS << 4;

/// Bytes that are kept at most, over all places.
const MOST: usize = 1 << 19;

/// Bytes that are kept of one place at most.
const MOST_OF_ONE: usize = MOST >> 2;

/// What identifies a written string: a number, such as that of a node, and whatever else it depends on.
pub(super) type Key = (u32, u64);

/// Strings by their keys. A string is kept when it is written for the second time, which the caller knows
/// ([`Copies::known`], [`Copies::keep`]) or [`Copies::get`] finds out, and all are forgotten when they become too
/// many bytes.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// By their keys; empty before the first use.
    slots: Vec<Slot>,
    /// How many of them have a text.
    kept: usize,
    /// How many were written once and forgotten since the last growth.
    lost: usize,
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
    /// The text that is kept for a key.
    pub(super) fn known(&self, key: Key) -> Option<&str> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(key)?].state {
            State::Kept { start, end } => Some(&self.text[start as usize..end as usize]),
            _ => None,
        }
    }

    /// Looks up what is to be written.
    pub(super) fn get(&mut self, key: Key) -> Copy<'_> {
        self.open();
        let Some(at) = self.slot(key) else { return Copy::Write };
        let slot = &mut self.slots[at];
        match slot.state {
            State::Kept { start, end } => Copy::Known(&self.text[start as usize..end as usize]),
            State::Seen if slot.key == key => Copy::Keep,
            state => {
                *slot = Slot { key, state: State::Seen };
                self.lost += usize::from(matches!(state, State::Seen));
                // The body of a loop may have more pieces than there are slots.
                if self.lost > self.slots.len() {
                    self.grow();
                }
                Copy::Write
            }
        }
    }

    /// Makes the first slots.
    fn open(&mut self) {
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, Slot::default());
        }
    }

    fn grow(&mut self) {
        self.lost = 0;
        if self.slots.len() >= MOST_SLOTS {
            return;
        }
        let more = vec![Slot::default(); 4 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, more) {
            if let (State::Kept { .. }, Some(at)) = (slot.state, self.slot(slot.key)) {
                self.slots[at] = slot;
            }
        }
    }

    /// Keeps the text of something, unless it is too large.
    pub(super) fn keep(&mut self, key: Key, text: &str) {
        if text.len() > MOST_OF_ONE {
            return;
        }
        self.open();
        if self.text.len() + text.len() > MOST {
            self.text.clear();
            self.slots.fill(Slot::default());
            self.kept = 0;
        } else if 4 * self.kept >= self.slots.len() {
            self.grow();
        }
        let Some(at) = self.slot(key) else { return };
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.slots[at] = Slot { key, state: State::Kept { start, end: self.text.len() as u32 } };
        self.kept += 1;
    }

    /// The slot of a key: the one that knows it, or one of a few that has no other text. A text that is
    /// kept was written twice, what has none may never be written again.
    fn slot(&self, key: Key) -> Option<usize> {
        const TRIES: usize = 4;
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let (number, rest) = key;
        // Nodes that are written one after the other have numbers that follow each other.
        let hash = u64::from(number).wrapping_add(rest.wrapping_mul(SPREAD) >> 32) as usize;
        let mask = self.slots.len() - 1;
        let (mut seen, mut count) = ([0; TRIES], 0);
        for at in (0..TRIES).map(|more| (hash + more) & mask) {
            let slot = &self.slots[at];
            match slot.state {
                State::Empty => return Some(at),
                _ if slot.key == key => return Some(at),
                State::Seen => {
                    seen[count] = at;
                    count += 1;
                }
                State::Kept { .. } => {}
            }
        }
        // Not always the same one: two keys whose slots overlap must not forget each other in turns.
        self.lost.checked_rem(count).map(|turn| seen[turn])
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
        // Those with one slot take others, as long as there are a few.
        let texts: Vec<String> = (0..8).map(|number| format!("text {number}")).collect();
        for round in 0..3 {
            let known = texts.iter().enumerate().filter(|(number, text)| {
                let key = (8 + (*number * MOST_SLOTS) as u32, 1);
                let is_known = copies.get(key) == Copy::Known(text);
                if copies.get(key) == Copy::Keep {
                    copies.keep(key, text);
                }
                is_known
            });
            assert_eq!(known.count(), [0, 4, 4][round]);
        }
        assert_eq!(copies.get((7, 1)), Copy::Known("seven"));
    }

    #[test]
    fn keys_with_the_same_slots_do_not_forget_each_other() {
        let mut copies = Copies::default();
        for number in 0..SLOTS as u32 {
            assert_eq!(copies.get((number, 1)), Copy::Write);
        }
        let keys = [(MOST_SLOTS as u32, 1), (2 * MOST_SLOTS as u32, 1)];
        for key in keys {
            assert_eq!(copies.get(key), Copy::Write);
        }
        for key in keys {
            assert_eq!(copies.get(key), Copy::Keep);
        }
    }

    #[test]
    fn there_are_slots_for_all_pieces_of_a_large_body() {
        let mut copies = Copies::default();
        for _round in 0..9 {
            for number in 0..1500 {
                let key = (number * 7, u64::from(number % 3));
                if copies.get(key) == Copy::Keep {
                    copies.keep(key, &number.to_string());
                }
            }
        }
        let known = |number: &u32| copies.get((number * 7, u64::from(number % 3))) == Copy::Known(&number.to_string());
        assert!((0..1500).filter(known).count() > 1400);
        assert!(copies.slots.len() <= MOST_SLOTS);
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
