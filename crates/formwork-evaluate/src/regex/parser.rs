//! Reading a pattern character by character.

use rustc_hash::FxHashMap;

use super::Refusal;
use super::dialect::{Dialect, Table};
use super::tree::{Guard, Width};

/// Limit of nested groups or classes.
const DEPTH: u32 = 60;

pub(super) struct Parser {
    pub(super) dialect: Dialect,
    pub(super) table: &'static Table,
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    /// Widths of the groups that were opened so far; `None` while a group is open.
    pub(super) widths: Vec<Option<Width>>,
    pub(super) names: FxHashMap<String, usize>,
    /// Number of lookbehinds around the current place.
    pub(super) behind: u32,
    /// The greatest number of a group that a condition refers to.
    pub(super) last_condition: usize,
    pub(super) guards: Vec<Guard>,
    pub(super) unsupported: Option<String>,
    /// Set if case does not matter in Python.
    pub(super) ignores_case: bool,
    pub(super) has_non_ascii: bool,
    depth: u32,
}

impl Parser {
    pub(super) fn new(pattern: &str, dialect: Dialect) -> Parser {
        Parser {
            dialect,
            table: dialect.table(),
            chars: if dialect == Dialect::Java { unquoted(pattern) } else { pattern.chars().collect() },
            at: 0,
            widths: Vec::new(),
            names: FxHashMap::default(),
            behind: 0,
            last_condition: 0,
            guards: Vec::new(),
            unsupported: None,
            ignores_case: false,
            has_non_ascii: false,
            depth: 0,
        }
    }

    /// Reads a construct that may be nested in another one of its kind.
    pub(super) fn deeper<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Parser) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if self.depth == DEPTH {
            return Err(Refusal::unsupported(format!("more than {DEPTH} {what} are not supported")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn character(&mut self, code: u32) -> char {
        self.has_non_ascii |= code > 0x7f;
        char::from_u32(code).unwrap_or_else(|| {
            self.unsupported(&format!("U+{code:04X} is not a character"));
            char::REPLACEMENT_CHARACTER
        })
    }

    /// Records an unsupported construct; the rest may still be invalid.
    pub(super) fn unsupported(&mut self, why: &str) {
        self.unsupported.get_or_insert_with(|| why.to_owned());
    }

    pub(super) fn next(&mut self) -> Option<char> {
        self.take_if(|_| true)
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

    pub(super) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> String {
        std::iter::from_fn(|| self.take_if(&is_wanted)).collect()
    }

    /// Reads characters up to `end` and skips it; `None` if it does not occur.
    pub(super) fn until(&mut self, end: char) -> Option<String> {
        let length = self.chars[self.at..].iter().position(|&c| c == end)?;
        let text = self.chars[self.at..self.at + length].iter().collect();
        self.at += length + 1;
        Some(text)
    }

    pub(super) fn digits_of(&mut self, radix: u32, most: usize) -> String {
        (0..most).map_while(|_| self.take_if(|c| c.is_digit(radix))).collect()
    }
}

/// Returns a pattern of Java with the characters between `\Q` and `\E` escaped.
fn unquoted(pattern: &str) -> Vec<char> {
    let mut made = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        made.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(quoted) = rest.strip_prefix(r"\Q") {
            let (literal, after) = quoted.split_once(r"\E").unwrap_or((quoted, ""));
            made.extend(literal.chars().map(|c| format!(r"\x{{{:X}}}", u32::from(c))));
            rest = after;
        } else if let Some(after) = rest.strip_prefix(r"\E") {
            rest = after;
        } else {
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(end, _)| end);
            made.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    made.push_str(rest);
    made.chars().collect()
}
