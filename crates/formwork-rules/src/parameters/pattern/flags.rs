//! The flags of a Java pattern, and what opens its groups.

use super::Characters;

/// Flags that are on at a place of a pattern: until the end of the group that they are set in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Flags {
    /// `i`: case does not matter.
    ignores_case: bool,
    /// `u`: not that of other letters than ASCII's either.
    has_unicode_case: bool,
    /// `s`: a dot is any character.
    has_full_dot: bool,
    /// `d`: only `\n` ends a line.
    has_unix_lines: bool,
    /// `m`: `^` and `$` are about lines.
    pub(super) is_of_lines: bool,
}

/// What an opening parenthesis begins.
#[derive(Debug)]
pub(super) enum Opening {
    /// A group, how it is written, and the flags inside of it.
    Group(String, Flags),
    /// No group: flags for the rest of the group around.
    Rest(Flags),
}

impl Flags {
    /// Whether letters of ASCII, and no others, match in both cases.
    pub(super) fn folds_ascii(self) -> bool {
        self.ignores_case && !self.has_unicode_case
    }

    /// Whether letters of all scripts match in both cases, as in the engine.
    pub(super) fn folds_all(self) -> bool {
        self.ignores_case && self.has_unicode_case
    }

    /// Whether letters match in both cases.
    pub(super) fn ignores_case(self) -> bool {
        self.ignores_case
    }

    /// What a dot is.
    pub(super) fn dot(self) -> &'static str {
        match self {
            Flags { has_full_dot: true, .. } => "(?s:.)",
            Flags { has_unix_lines: true, .. } => r"[^\n]",
            _ => r"[^\n\r\x{85}\x{2028}\x{2029}]",
        }
    }

    /// The flag of the engine, when it differs from that of `before`: it folds all of Unicode.
    pub(super) fn of_engine(self, before: Flags) -> &'static str {
        match (before.folds_all(), self.folds_all()) {
            (false, true) => "i",
            (true, false) => "-i",
            _ => "",
        }
    }

    fn set(&mut self, flag: char, is_on: bool) -> Result<(), String> {
        match flag {
            'i' => self.ignores_case = is_on,
            'u' => self.has_unicode_case = is_on,
            's' => self.has_full_dot = is_on,
            'd' => self.has_unix_lines = is_on,
            'm' => self.is_of_lines = is_on,
            'x' | 'U' => return Err(format!("the flag `{flag}` is not supported")),
            _ => return Err(format!("`(?{flag}` opens no group of Java")),
        }
        Ok(())
    }
}

/// Reads what follows an opening parenthesis, up to the text of a group.
pub(super) fn opening(chars: &mut Characters<'_>, flags: Flags) -> Result<Opening, String> {
    if chars.next_if_eq(&'?').is_none() {
        return Ok(Opening::Group("(".to_owned(), flags));
    }
    if let Some(kind) = chars.next_if(|c| ":=!>".contains(*c)) {
        return Ok(Opening::Group(format!("(?{kind}"), flags));
    }
    if chars.next_if_eq(&'<').is_some() {
        if let Some(kind) = chars.next_if(|c| "=!".contains(*c)) {
            return Ok(Opening::Group(format!("(?<{kind}"), flags));
        }
        let name: String = std::iter::from_fn(|| chars.next_if(char::is_ascii_alphanumeric)).collect();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && chars.next_if_eq(&'>').is_some();
        return if is_name {
            Ok(Opening::Group(format!("(?<{name}>"), flags))
        } else {
            Err("the name of a group must be alphanumeric".to_owned())
        };
    }
    let (mut inner, mut is_on) = (flags, true);
    loop {
        match chars.next() {
            None => return Err("it ends in a parenthesis".to_owned()),
            Some('-') if is_on => is_on = false,
            Some(')') => return Ok(Opening::Rest(inner)),
            Some(':') => return Ok(Opening::Group(format!("(?{}:", inner.of_engine(flags)), inner)),
            Some(flag) => inner.set(flag, is_on)?,
        }
    }
}
