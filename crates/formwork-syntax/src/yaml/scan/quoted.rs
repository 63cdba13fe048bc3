//! Reading of quoted strings, and of the space between the lines of a scalar.

use std::borrow::Cow;

use super::Scanner;
use super::scalar::Scalar;
use crate::tree::Style;

pub(super) struct Quoted<'t> {
    value: Cow<'t, str>,
    start: usize,
    has_lines: bool,
    /// The first byte that is not part of `value` yet.
    pub(super) from: usize,
}

impl<'t> Quoted<'t> {
    pub(super) fn new(start: usize) -> Quoted<'t> {
        Quoted { value: Cow::Borrowed(""), start, has_lines: false, from: start + 1 }
    }

    pub(super) fn push(&mut self, text: &'t str) {
        if self.value.is_empty() {
            self.value = Cow::Borrowed(text);
        } else if !text.is_empty() {
            self.value.to_mut().push_str(text);
        }
    }

    pub(super) fn push_owned(&mut self, c: char, from: usize) {
        self.value.to_mut().push(c);
        self.from = from;
    }

    pub(super) fn scalar(self, style: Style, end: usize) -> Scalar<'t> {
        Scalar { value: self.value, style, start: self.start, end, has_lines: self.has_lines }
    }
}

pub(super) struct NextText {
    pub(super) at: usize,
    pub(super) column: usize,
    pub(super) breaks: usize,
}

impl<'r> Scanner<'r> {
    /// Skips the line break at `end` in a quoted string, and the spaces around it. In brackets every line break stops
    /// the scanner.
    pub(super) fn quoted_break(&mut self, quoted: &mut Quoted<'r>, end: usize) -> Option<()> {
        let line = self.text.get(quoted.from..end)?;
        quoted.push(line.trim_end_matches([' ', '\t', '\r']));
        let next = self.next_text(end)?;
        let outer = self.levels.last()?.column;
        if !self.closers.is_empty() || next.column <= outer || self.bytes.get(next.at) == Some(&b'\t') {
            return None;
        }
        fold(quoted.value.to_mut(), next.breaks);
        quoted.from = next.at;
        quoted.has_lines = true;
        Some(())
    }

    /// Returns the text after the line break at `at`. `None` at the end of the file.
    pub(super) fn next_text(&self, mut at: usize) -> Option<NextText> {
        let (mut breaks, mut line) = (0, at);
        loop {
            match *self.bytes.get(at)? {
                b' ' => {
                    at += 1;
                    continue;
                }
                b'\n' => at += 1,
                b'\r' => at += 2,
                _ => return Some(NextText { at, column: at - line, breaks }),
            }
            breaks += 1;
            line = at;
        }
    }
}

/// Appends line breaks: the first one is a space, further ones are line breaks.
pub(super) fn fold(value: &mut String, breaks: usize) {
    match breaks {
        1 => value.push(' '),
        _ => value.extend(std::iter::repeat_n('\n', breaks - 1)),
    }
}

/// Returns the character of an escape, and the length of the escape without its backslash.
pub(super) fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    let c = match bytes.first()? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'e' => '\u{1b}',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        &character @ (b' ' | b'"' | b'/' | b'\\') => char::from(character),
        b'x' => return hexadecimal(bytes, 2),
        b'u' => return hexadecimal(bytes, 4),
        b'U' => return hexadecimal(bytes, 8),
        _ => return None,
    };
    Some((c, 1))
}

/// Returns `None` for surrogates, alone or in pairs.
fn hexadecimal(bytes: &[u8], digits: usize) -> Option<(char, usize)> {
    let value = bytes.get(1..=digits)?.iter().try_fold(0_u32, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | digit)
    })?;
    Some((char::from_u32(value)?, 1 + digits))
}
