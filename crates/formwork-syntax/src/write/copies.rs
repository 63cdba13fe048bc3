//! A cache of repeated output: subtrees that the iterations of a loop share.

use rustc_hash::FxHashMap;

/// Most bytes that are kept, in total and of one string.
const MOST: usize = 1 << 19;
const MOST_OF_ONE: usize = MOST >> 2;

const MOST_PLACES: usize = 1 << 14;

/// The identity of a written string: a number, such as that of a node, and everything else that the string depends on.
pub(super) type Key = (u32, u64);

/// Strings by their keys. A string is kept when it is written for the second time, which the caller knows
/// ([`Copies::known`], [`Copies::keep`]) or [`Copies::get`] finds; all are dropped when they become too many.
#[derive(Debug, Default)]
pub(super) struct Copies {
    places: FxHashMap<Key, State>,
    text: String,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Seen,
    Kept { start: usize, end: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copy<'c> {
    Known(&'c str),
    /// Written for the second time: its text is to be kept.
    Keep,
    Write,
}

impl Copies {
    pub(super) fn known(&self, key: Key) -> Option<&str> {
        match self.places.get(&key)? {
            State::Kept { start, end } => Some(&self.text[*start..*end]),
            State::Seen => None,
        }
    }

    pub(super) fn get(&mut self, key: Key) -> Copy<'_> {
        match self.places.get(&key) {
            Some(&State::Kept { start, end }) => Copy::Known(&self.text[start..end]),
            Some(State::Seen) => Copy::Keep,
            None => {
                self.make_room(0);
                self.places.insert(key, State::Seen);
                Copy::Write
            }
        }
    }

    pub(super) fn keep(&mut self, key: Key, text: &str) {
        if text.len() > MOST_OF_ONE {
            return;
        }
        self.make_room(text.len());
        let start = self.text.len();
        self.text.push_str(text);
        self.places.insert(key, State::Kept { start, end: self.text.len() });
    }

    fn make_room(&mut self, bytes: usize) {
        if self.text.len() + bytes > MOST || self.places.len() >= MOST_PLACES {
            self.places.clear();
            self.text.clear();
        }
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
        copies.keep((8, 1), "eight");
        assert_eq!(copies.get((7, 1)), Copy::Known("seven"));
        assert_eq!((copies.known((8, 1)), copies.known((7, 2))), (Some("eight"), None));
        assert_eq!(copies.get((7, 2)), Copy::Keep);
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
        for number in 0..3 * MOST_PLACES as u32 {
            copies.get((number, 1));
            assert!(copies.places.len() <= MOST_PLACES);
        }
    }
}
