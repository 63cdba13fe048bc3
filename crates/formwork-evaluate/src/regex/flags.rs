//! Flags of Python, for a whole pattern and for a group.

use super::Refusal;
use super::parser::Parser;
use super::tree::Flags;

impl Parser {
    /// Reads the flags of a whole Python pattern, which are written at its start.
    pub(super) fn flags_of_all(&mut self, flags: &mut Flags) -> Result<(), Refusal> {
        let mut letters = String::new();
        loop {
            let start = self.at;
            if !(self.take('(') && self.take('?')) {
                self.at = start;
                break;
            }
            if self.take('#') {
                self.until(')').ok_or_else(|| Refusal::invalid("missing ), unterminated comment"))?;
                continue;
            }
            let own = self.letters();
            if own.is_empty() || !self.take(')') {
                self.at = start;
                break;
            }
            letters.push_str(&own);
            add(flags, &own)?;
        }
        add(flags, &letters)
    }

    pub(super) fn letters(&mut self) -> String {
        let letters = self.table.flags;
        self.take_while(|c| letters.contains(c))
    }
}

pub(super) fn add(flags: &mut Flags, letters: &str) -> Result<(), Refusal> {
    if letters.contains('L') {
        return Err(Refusal::invalid("cannot use LOCALE flag with a str pattern"));
    }
    if letters.contains('a') && letters.contains('u') {
        return Err(Refusal::invalid("ASCII and UNICODE flags are incompatible"));
    }
    letters.chars().for_each(|letter| flags.set(letter, true));
    Ok(())
}
