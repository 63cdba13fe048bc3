//! The flags of a pattern.

use super::Refusal;

/// Flags that are on at a place of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Flags {
    /// `a`: sets are those of ASCII.
    pub(super) is_ascii: bool,
    /// `i`: case does not matter.
    pub(super) ignores_case: bool,
    /// `m`: `^` and `$` are about lines.
    pub(super) is_of_lines: bool,
    /// `s`: a dot is any character.
    pub(super) has_full_dot: bool,
    /// `x`: whitespace and comments between parts are left out.
    pub(super) is_verbose: bool,
}

/// The letters of flags.
pub(super) const LETTERS: &str = "aiLmsux";

impl Flags {
    /// Switches on what `letters` name.
    pub(super) fn add(&mut self, letters: &str) -> Result<(), Refusal> {
        if letters.contains('L') {
            return Err(Refusal::invalid("cannot use LOCALE flag with a str pattern"));
        }
        if letters.contains('a') && letters.contains('u') {
            return Err(Refusal::invalid("ASCII and UNICODE flags are incompatible"));
        }
        for letter in letters.chars() {
            self.set(letter, true);
        }
        Ok(())
    }

    /// Switches off what `letters` name.
    pub(super) fn remove(&mut self, letters: &str) -> Result<(), Refusal> {
        if letters.contains(['a', 'u', 'L']) {
            return Err(Refusal::invalid("cannot turn off flags 'a', 'u' and 'L'"));
        }
        for letter in letters.chars() {
            self.set(letter, false);
        }
        Ok(())
    }

    fn set(&mut self, letter: char, is_on: bool) {
        match letter {
            'a' => self.is_ascii = is_on,
            'i' => self.ignores_case = is_on,
            'm' => self.is_of_lines = is_on,
            's' => self.has_full_dot = is_on,
            'u' => self.is_ascii = !is_on,
            _ => self.is_verbose = is_on,
        }
    }
}
