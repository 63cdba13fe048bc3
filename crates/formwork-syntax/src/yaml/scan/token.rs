//! Reading of tokens: scalars, tags, and the space between them.

use std::borrow::Cow;

use super::Scanner;
use super::quoted::{Quoted, escape, fold};
use super::scalar::Scalar;
use crate::function::Known;
use crate::tree::Style;
use crate::yaml::builder::Token;
use crate::yaml::tag_mark::{TagMark, TagMeaning};

/// Classes of bytes that end a run of characters of a plain scalar in block context, and in brackets.
const BLOCK: u8 = 1;
const FLOW: u8 = 2;
/// Class of bytes that a plain scalar may begin with.
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
    /// Reads a scalar and the spaces after it, a key or a value. A key has one line.
    pub(super) fn scalar(&mut self) -> Option<Scalar<'r>> {
        let scalar = match self.bytes.get(self.at)? {
            b'"' => self.double_quoted()?,
            b'\'' => self.single_quoted()?,
            _ => return self.plain(),
        };
        self.skip_spaces();
        if scalar.has_lines && self.bytes.get(self.at) == Some(&b':') {
            return None;
        }
        Some(scalar)
    }

    fn plain(&mut self) -> Option<Scalar<'r>> {
        let (start, bytes) = (self.at, self.bytes);
        let first = *bytes.get(start)?;
        if CLASSES[usize::from(first)] & FIRST == 0 {
            return None;
        }
        if first == b'-' {
            // A dash alone is the mark of an item, and rejected in brackets.
            let next = *bytes.get(start + 1)?;
            if matches!(next, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'[' | b']' | b'{' | b'}') {
                return None;
            }
        }
        self.at += 1;
        let end = self.plain_line()?;
        let value = Cow::Borrowed(self.text.get(start..end)?);
        let mut scalar = Scalar { value, style: Style::Plain, start, end, has_lines: false };
        if self.closers.is_empty() && matches!(bytes.get(self.at), Some(b'\n' | b'\r')) {
            self.plain_lines(&mut scalar)?;
        }
        Some(scalar)
    }

    /// Skips the characters of a plain scalar in one line, and the spaces after it. Returns its end.
    fn plain_line(&mut self) -> Option<usize> {
        let (start, bytes, mut at) = (self.at, self.bytes, self.at);
        let class = if self.closers.is_empty() { BLOCK } else { FLOW };
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
        while at > start && bytes[at - 1] == b' ' {
            at -= 1;
        }
        Some(at)
    }

    /// Reads the further lines of a plain scalar: those that are indented deeper than the collection around it.
    fn plain_lines(&mut self, scalar: &mut Scalar<'r>) -> Option<()> {
        let Some(outer) = self.levels.last().map(|level| level.column) else { return Some(()) };
        while let Some(next) = self.next_text(self.at) {
            match self.bytes.get(next.at) {
                Some(b'\t') => return None,
                Some(b'#') => break,
                _ if next.column <= outer => break,
                _ => {}
            }
            self.at = next.at;
            scalar.end = self.plain_line()?;
            scalar.has_lines = true;
            fold(scalar.value.to_mut(), next.breaks);
            scalar.value.to_mut().push_str(self.text.get(next.at..scalar.end)?);
            match self.bytes.get(self.at) {
                Some(b'\n' | b'\r') => {}
                Some(b':') => return None,
                _ => break,
            }
        }
        Some(())
    }

    fn single_quoted(&mut self) -> Option<Scalar<'r>> {
        let mut quoted = Quoted::new(self.at);
        loop {
            let end = quoted.from + memchr::memchr2(b'\'', b'\n', self.bytes.get(quoted.from..)?)?;
            if self.bytes[end] == b'\n' {
                self.quoted_break(&mut quoted, end)?;
                continue;
            }
            quoted.push(self.text.get(quoted.from..end)?);
            if self.bytes.get(end + 1) != Some(&b'\'') {
                self.at = end + 1;
                return Some(quoted.scalar(Style::Single, end + 1));
            }
            quoted.push_owned('\'', end + 2);
        }
    }

    fn double_quoted(&mut self) -> Option<Scalar<'r>> {
        let mut quoted = Quoted::new(self.at);
        loop {
            let end = quoted.from + memchr::memchr3(b'"', b'\\', b'\n', self.bytes.get(quoted.from..)?)?;
            match self.bytes[end] {
                b'"' => {
                    quoted.push(self.text.get(quoted.from..end)?);
                    self.at = end + 1;
                    return Some(quoted.scalar(Style::Double, end + 1));
                }
                b'\\' => {
                    quoted.push(self.text.get(quoted.from..end)?);
                    let (c, len) = escape(self.bytes.get(end + 1..)?)?;
                    quoted.push_owned(c, end + 1 + len);
                }
                _ => self.quoted_break(&mut quoted, end)?,
            }
        }
    }

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

    pub(super) fn skip_line(&mut self) {
        self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |len| self.at + len + 1);
    }

    pub(super) fn is_line_end(&self) -> bool {
        match self.bytes.get(self.at) {
            None | Some(b'\n' | b'\r') => true,
            Some(b'#') => self.bytes.get(self.at.wrapping_sub(1)) == Some(&b' '),
            _ => false,
        }
    }

    /// Moves to the start of the next line, over spaces and a comment only.
    pub(super) fn end_line(&mut self) -> Option<()> {
        self.skip_spaces();
        if !self.is_line_end() {
            return None;
        }
        self.skip_line();
        Some(())
    }

    pub(super) fn is_space_or_end(&self, at: usize) -> bool {
        matches!(self.bytes.get(at), None | Some(b' ' | b'\n' | b'\r'))
    }

    pub(super) fn is_colon(&self) -> bool {
        self.bytes.get(self.at) == Some(&b':') && self.is_space_or_end(self.at + 1)
    }

    pub(super) fn is_item(&self) -> bool {
        self.bytes.get(self.at) == Some(&b'-') && self.is_space_or_end(self.at + 1)
    }

    /// Returns `true` at the mark of a document's start or end, at the start of a line.
    pub(super) fn is_document_mark(&self) -> bool {
        let rest = &self.bytes[self.at..];
        (rest.starts_with(b"---") || rest.starts_with(b"...")) && rest.get(3).is_none_or(u8::is_ascii_whitespace)
    }
}
