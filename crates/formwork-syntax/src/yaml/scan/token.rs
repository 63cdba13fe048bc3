//! Tokens of one line.

use std::borrow::Cow;

use super::Scanner;
use crate::function::Known;
use crate::tree::Style;
use crate::yaml::build::Token;
use crate::yaml::tags::{TagMark, TagMeaning};

/// A plain scalar, or one in quotes.
pub(super) struct Scalar<'t> {
    pub(super) value: Cow<'t, str>,
    pub(super) style: Style,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What ends a run of characters of a plain scalar in block context, and in brackets.
const BLOCK: u8 = 1;
const FLOW: u8 = 2;
/// What a plain scalar may begin with.
const FIRST: u8 = 4;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        if matches!(character, b':' | b'#' | b'\t' | b'\n' | b'\r') {
            classes[byte] |= BLOCK | FLOW;
        }
        if matches!(character, b',' | b'[' | b']' | b'{' | b'}' | b'?') {
            classes[byte] |= FLOW;
        }
        if character.is_ascii_alphanumeric()
            || byte >= 0x80
            || matches!(
                character,
                b'$' | b'(' | b')' | b'+' | b'-' | b'.' | b'/' | b';' | b'<' | b'=' | b'\\' | b'^' | b'_' | b'~'
            )
        {
            classes[byte] |= FIRST;
        }
        byte += 1;
    }
    classes
}

impl<'r> Scanner<'r> {
    /// Reads a scalar of one line and the spaces behind it. What it is, a key or a value, follows.
    pub(super) fn scalar(&mut self) -> Option<Scalar<'r>> {
        let scalar = match self.bytes.get(self.at)? {
            b'"' => self.double_quoted()?,
            b'\'' => self.single_quoted()?,
            _ => return self.plain(),
        };
        self.skip_spaces();
        Some(scalar)
    }

    fn plain(&mut self) -> Option<Scalar<'r>> {
        let (start, bytes) = (self.at, self.bytes);
        let class = if self.closers.is_empty() { BLOCK } else { FLOW };
        let first = *bytes.get(start)?;
        if CLASSES[usize::from(first)] & FIRST == 0 {
            return None;
        }
        if first == b'-' {
            // A dash alone is the mark of an item, and refused in brackets.
            let next = *bytes.get(start + 1)?;
            if matches!(next, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}') {
                return None;
            }
        }
        let mut at = start + 1;
        loop {
            while at < bytes.len() && CLASSES[usize::from(bytes[at])] & class == 0 {
                at += 1;
            }
            match bytes.get(at) {
                Some(b':') => match bytes.get(at + 1) {
                    None | Some(b' ' | b'\n' | b'\r') => break,
                    Some(b'\t') => return None,
                    Some(b',' | b'[' | b']' | b'{' | b'}') if class == FLOW => return None,
                    _ => {}
                },
                Some(b'#') if bytes[at - 1] != b' ' => {}
                Some(b'\t' | b'?') => return None,
                _ => break,
            }
            at += 1;
        }
        self.at = at;
        let mut end = at;
        while bytes[end - 1] == b' ' {
            end -= 1;
        }
        let value = Cow::Borrowed(self.text.get(start..end)?);
        Some(Scalar { value, style: Style::Plain, start, end })
    }

    fn single_quoted(&mut self) -> Option<Scalar<'r>> {
        let start = self.at;
        let mut value = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let end = from + memchr::memchr2(b'\'', b'\n', self.bytes.get(from..)?)?;
            if self.bytes[end] == b'\n' {
                return None;
            }
            let piece = self.text.get(from..end)?;
            if value.is_empty() {
                value = Cow::Borrowed(piece);
            } else {
                value.to_mut().push_str(piece);
            }
            if self.bytes.get(end + 1) != Some(&b'\'') {
                self.at = end + 1;
                return Some(Scalar { value, style: Style::Single, start, end: end + 1 });
            }
            value.to_mut().push('\'');
            from = end + 2;
        }
    }

    fn double_quoted(&mut self) -> Option<Scalar<'r>> {
        let start = self.at;
        let mut value = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let end = from + memchr::memchr3(b'"', b'\\', b'\n', self.bytes.get(from..)?)?;
            let piece = self.text.get(from..end)?;
            if value.is_empty() {
                value = Cow::Borrowed(piece);
            } else {
                value.to_mut().push_str(piece);
            }
            match self.bytes[end] {
                b'"' => {
                    self.at = end + 1;
                    return Some(Scalar { value, style: Style::Double, start, end: end + 1 });
                }
                b'\\' => {
                    let (c, len) = escape(self.bytes.get(end + 1..)?)?;
                    value.to_mut().push(c);
                    from = end + 1 + len;
                }
                _ => return None,
            }
        }
    }

    /// Reads a short tag that needs no diagnostic.
    pub(super) fn tag(&mut self) -> Option<TagMark> {
        let start = self.at;
        let name = self.bytes.get(start + 1..)?;
        let len = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
        let end = start + 1 + len;
        let known = Known::from_short(self.text.get(start + 1..end)?)?;
        if len == 0 || known.is_language_extension() || !self.is_space_or_end(end) {
            return None;
        }
        self.at = end;
        Some(TagMark { start, end, meaning: TagMeaning::Call(known) })
    }

    /// Hands a scalar to the builder.
    pub(super) fn add(
        &mut self,
        value: &str,
        style: Style,
        tag: Option<TagMark>,
        start: usize,
        end: usize,
    ) -> Option<()> {
        let is_empty = style == Style::Plain && start == end;
        self.builder.scalar(&Token { value, style, anchor: 0, tag, is_empty, has_lines: false, start, end }).ok()
    }

    /// Begins a list or map.
    pub(super) fn open(&mut self, is_map: bool, style: Style, tag: Option<TagMark>, start: usize) -> Option<()> {
        if self.builder.is_full() {
            return None;
        }
        let cursor = start + usize::from(style == Style::Flow);
        self.builder.open(is_map, style, 0, tag, start, cursor).ok()
    }

    pub(super) fn skip_spaces(&mut self) {
        while self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    /// Goes to the start of the next line.
    pub(super) fn skip_line(&mut self) {
        self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |len| self.at + len + 1);
    }

    /// Whether a line break, a comment or the end of the file is here.
    pub(super) fn is_line_end(&self) -> bool {
        match self.bytes.get(self.at) {
            None | Some(b'\n' | b'\r') => true,
            Some(b'#') => self.bytes.get(self.at.wrapping_sub(1)) == Some(&b' '),
            _ => false,
        }
    }

    /// Goes to the start of the next line, over spaces and a comment alone.
    pub(super) fn end_line(&mut self) -> Option<()> {
        self.skip_spaces();
        if !self.is_line_end() {
            return None;
        }
        self.skip_line();
        Some(())
    }

    /// Whether a space, a line break or the end of the file is at `at`.
    pub(super) fn is_space_or_end(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n' | b'\r'))
    }

    /// Whether the colon of a key is here.
    pub(super) fn is_colon(&self) -> bool {
        self.bytes.get(self.at) == Some(&b':') && self.is_space_or_end(self.at + 1)
    }

    /// Whether the dash of an item is here.
    pub(super) fn is_item(&self) -> bool {
        self.bytes.get(self.at) == Some(&b'-') && self.is_space_or_end(self.at + 1)
    }

    /// Whether the start or end of a document is here, at the start of a line.
    pub(super) fn is_document_mark(&self) -> bool {
        let rest = &self.bytes[self.at..];
        (rest.starts_with(b"---") || rest.starts_with(b"...")) && rest.get(3).is_none_or(u8::is_ascii_whitespace)
    }
}

/// The character that an escape means, and the length of the escape without its backslash.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
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

/// `None` for surrogates, alone or in pairs.
fn hexadecimal(bytes: &[u8], digits: usize) -> Option<(char, usize)> {
    let value = bytes.get(1..=digits)?.iter().try_fold(0_u32, |value, &digit| {
        let digit = char::from(digit).to_digit(16)?;
        Some(value << 4 | digit)
    })?;
    Some((char::from_u32(value)?, 1 + digits))
}
