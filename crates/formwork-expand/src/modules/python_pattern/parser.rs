//! Reading a pattern as Python does, and writing it for the engine.

use std::fmt::Write as _;

use super::flags::Flags;
use super::names::Groups;
use super::width::Width;
use super::{Refusal, Values};

/// Groups in groups that are read.
const DEPTH: u32 = 60;

/// A pattern as the engine reads it.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) text: String,
    pub(super) ignores_case: bool,
    /// Whether a character of it is not one of ASCII.
    pub(super) has_non_ascii: bool,
    pub(super) has_non_boundary: bool,
}

/// A part of a sequence that was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) role: Role,
    /// Where it begins in what was written.
    pub(super) start: usize,
    pub(super) width: Width,
}

/// What an item is, for a repetition that follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Something to repeat.
    Unit,
    /// A place: there is nothing to repeat.
    Position,
    /// A group that looks ahead or behind.
    Look,
    /// A repetition: it is not repeated again.
    Repetition,
}

/// A pattern that is read.
#[derive(Debug)]
pub(super) struct Parser {
    chars: Vec<char>,
    pub(super) at: usize,
    pub(super) values: Values,
    pub(super) out: String,
    pub(super) groups: Groups,
    /// The first part that is not supported.
    unsupported: Option<String>,
    pub(super) ignores_case: bool,
    has_non_ascii: bool,
    pub(super) has_non_boundary: bool,
    /// Groups that look behind around the current place.
    pub(super) behind: u32,
    /// The greatest number of a group that a condition names.
    pub(super) last_condition: usize,
    depth: u32,
}

impl Parser {
    pub(super) fn new(pattern: &str, values: Values) -> Parser {
        Parser {
            chars: pattern.chars().collect(),
            at: 0,
            values,
            out: String::with_capacity(pattern.len() + 16),
            groups: Groups::default(),
            unsupported: None,
            ignores_case: false,
            has_non_ascii: false,
            has_non_boundary: false,
            behind: 0,
            last_condition: 0,
            depth: 0,
        }
    }

    /// Translates the pattern.
    pub(super) fn pattern(mut self) -> Result<Translated, Refusal> {
        let flags = self.flags_of_all()?;
        self.ignores_case |= flags.ignores_case;
        if flags.ignores_case {
            self.out.push_str("(?i)");
        }
        self.alternatives(flags)?;
        if self.peek().is_some() {
            return Err(Refusal::invalid("unbalanced parenthesis"));
        }
        if self.last_condition > self.groups.len() {
            return Err(Refusal::invalid(format!("invalid group reference {}", self.last_condition)));
        }
        let Parser { unsupported, out, ignores_case, has_non_ascii, has_non_boundary, .. } = self;
        match unsupported {
            Some(why) => Err(Refusal::Unsupported(why)),
            None => Ok(Translated { text: out, ignores_case, has_non_ascii, has_non_boundary }),
        }
    }

    /// Reads alternatives up to a closing parenthesis or the end.
    pub(super) fn alternatives(&mut self, flags: Flags) -> Result<Width, Refusal> {
        let mut width = self.sequence(flags)?;
        while self.take('|') {
            self.out.push('|');
            width = width.or(self.sequence(flags)?);
        }
        Ok(width)
    }

    /// Reads parts one after the other.
    pub(super) fn sequence(&mut self, flags: Flags) -> Result<Width, Refusal> {
        let mut width = Width::NONE;
        let mut last: Option<Item> = None;
        loop {
            if flags.is_verbose {
                self.skip_remarks();
            }
            match self.peek() {
                None | Some('|' | ')') => break,
                _ => {}
            }
            if let Some(bounds) = self.bounds()? {
                last = Some(self.repeat(last, bounds)?);
                continue;
            }
            let start = self.out.len();
            // A comment: what is before it is still repeated by what follows it.
            let Some((role, own)) = self.part(flags)? else { continue };
            width = width.then(last.map_or(Width::NONE, |last| last.width));
            last = Some(Item { role, start, width: own });
        }
        Ok(width.then(last.map_or(Width::NONE, |last| last.width)))
    }

    /// Reads a part that is not a repetition; none for a comment.
    fn part(&mut self, flags: Flags) -> Result<Option<(Role, Width)>, Refusal> {
        let Some(c) = self.next() else { return Ok(None) };
        let part = match c {
            '(' if self.depth == DEPTH => {
                return Err(Refusal::Unsupported(format!("more than {DEPTH} groups in groups are not supported")));
            }
            '(' => {
                self.depth += 1;
                let group = self.group(flags)?;
                self.depth -= 1;
                return Ok(group);
            }
            '[' => {
                self.class(flags)?;
                (Role::Unit, Width::ONE)
            }
            '\\' => self.escape(flags)?,
            '.' => {
                self.out.push_str(if flags.has_full_dot { "(?s:.)" } else { r"[^\n]" });
                (Role::Unit, Width::ONE)
            }
            '^' => {
                self.out.push_str(if flags.is_of_lines { "(?m:^)" } else { r"\A" });
                (Role::Position, Width::NONE)
            }
            '$' => {
                self.out.push_str(match self.values {
                    _ if flags.is_of_lines => "(?m:$)",
                    Values::Plain => r"\z",
                    Values::Others => r"(?=\n?\z)",
                });
                (Role::Position, Width::NONE)
            }
            c => {
                self.literal(u32::from(c));
                (Role::Unit, Width::ONE)
            }
        };
        Ok(Some(part))
    }

    /// Moves after whitespace and comments, which the flag `x` allows between parts.
    fn skip_remarks(&mut self) {
        loop {
            if self.take('#') {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if self.take_if(|c| " \t\n\r\u{b}\u{c}".contains(c)).is_none() {
                return;
            }
        }
    }

    /// Writes a character by its code.
    pub(super) fn literal(&mut self, code: u32) {
        self.has_non_ascii |= code > 0x7f;
        match char::from_u32(code) {
            Some(c) if c.is_ascii_alphanumeric() => self.out.push(c),
            Some(_) => drop(write!(self.out, r"\x{{{code:X}}}")),
            None => self.unsupported(&format!("U+{code:04X}, half of a character, is not supported")),
        }
    }

    /// Notes what is not supported; what follows may still be invalid.
    pub(super) fn unsupported(&mut self, why: &str) {
        self.unsupported.get_or_insert_with(|| why.to_owned());
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        self.take_if(|next| next == c).is_some()
    }

    pub(super) fn take_if(&mut self, is_wanted: impl Fn(char) -> bool) -> Option<char> {
        let c = self.peek().filter(|&c| is_wanted(c));
        self.at += usize::from(c.is_some());
        c
    }

    /// The characters up to one, behind which it moves; `None` when it does not come.
    pub(super) fn until(&mut self, end: char) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|&c| c == end)?;
        let text = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Some(text)
    }

    /// Up to so many digits of a number.
    pub(super) fn digits_of(&mut self, radix: u32, most: usize) -> String {
        (0..most).map_while(|_| self.take_if(|c| c.is_digit(radix))).collect()
    }
}
