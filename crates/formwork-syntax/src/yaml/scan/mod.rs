//! A reader for YAML as people write it: block mappings and lists, scalars, literal and folded blocks, comments, short
//! tags, collections in brackets and braces.
//!
//! The reader processes a line at a time and passes its tokens to the builder, as the general reader does. It never
//! reports anything: it stops (`None`) at everything that it does not know for certain or that may be an error, and the
//! general reader reads the file. That includes anchors, aliases, merge keys, complex keys, directives and tabs between
//! tokens.

mod block_scalar;
mod flow;
mod quoted;
mod scalar;
mod token;

use std::cell::OnceCell;

use formwork_base::{Diagnostics, Limits};

use scalar::Scalar;

use super::builder::Builder;
use super::tag_mark::TagMark;
use crate::scalar::needs_escape;
use crate::tree::{NodeId, Style, Tree};

const LEVELS: usize = 16;

/// Reads `text` into `tree`. When the result is `None`, the tree may have some of it. `found` is empty; a cancelled run
/// stops as well.
pub(super) fn read(tree: &mut Tree, text: &str, base: u32, limits: &Limits, mut found: Diagnostics) -> Option<NodeId> {
    if !has_common_characters(text) {
        return None;
    }
    let lines = OnceCell::new();
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        builder: Builder::new(tree, text, text, &lines, base, limits, &mut found),
        levels: Vec::with_capacity(LEVELS),
        awaited: Some(Awaited { tag: None, empty: None }),
        block: String::new(),
        closers: Vec::new(),
    };
    scanner.document()?;
    let root = scanner.builder.root;
    if found.is_empty() { root } else { None }
}

/// Returns `true` when all characters are printable, and all line breaks are LF or CR LF.
fn has_common_characters(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut rest = bytes;
    // Whole chunks without branches, which compilers turn into vector instructions.
    while let Some((chunk, behind)) = rest.split_first_chunk::<64>() {
        let rare = chunk.iter().fold(false, |rare, &byte| rare | is_rare(byte));
        if rare && !chunk.iter().all(|&byte| !is_rare(byte) || matches!(byte, b'\t' | b'\r' | 0x80..)) {
            return false;
        }
        rest = behind;
    }
    rest.iter().all(|&byte| !is_rare(byte) || matches!(byte, b'\t' | b'\r' | 0x80..))
        && memchr::memchr_iter(b'\r', bytes).all(|at| bytes.get(at + 1) == Some(&b'\n'))
        && (text.is_ascii() || !text.chars().any(|c| !c.is_ascii() && needs_escape(c)))
}

fn is_rare(byte: u8) -> bool {
    byte < 0x20 && byte != b'\n' || byte >= 0x7f
}

#[derive(Clone, Copy)]
struct Level {
    column: usize,
    is_map: bool,
}

/// An expected value that has not begun.
struct Awaited {
    tag: Option<TagMark>,
    /// The place of the value if it is missing, if known.
    empty: Option<usize>,
}

struct Scanner<'r> {
    text: &'r str,
    bytes: &'r [u8],
    at: usize,
    builder: Builder<'r>,
    levels: Vec<Level>,
    awaited: Option<Awaited>,
    /// The text of a block scalar, kept for its memory.
    block: String,
    /// Closing brackets of open flow collections, kept for their memory.
    closers: Vec<u8>,
}

impl Scanner<'_> {
    fn document(&mut self) -> Option<()> {
        let mut column = self.next_line()?;
        if column == 0 && self.bytes[self.at..].starts_with(b"---") && self.is_space_or_end(self.at + 3) {
            self.at += 3;
            self.end_line()?;
            column = self.next_line()?;
        }
        loop {
            if self.builder.diagnostics.is_cancelled() {
                return None;
            }
            self.line(column)?;
            match self.next_line() {
                Some(next) => column = next,
                None => break,
            }
        }
        self.settle()?;
        while self.levels.pop().is_some() {
            self.builder.close(None);
        }
        Some(())
    }

    /// Moves from the start of a line to the next text that is not a comment, and returns its column. `None` at the end
    /// of the file.
    fn next_line(&mut self) -> Option<usize> {
        loop {
            let start = self.at;
            self.skip_spaces();
            match *self.bytes.get(self.at)? {
                b'\n' => self.at += 1,
                b'\r' => self.at += 2,
                b'#' => self.skip_line(),
                _ => return Some(self.at - start),
            }
        }
    }

    fn line(&mut self, column: usize) -> Option<()> {
        let is_item = self.is_item();
        if column == 0 && self.is_document_mark() {
            return None;
        }
        if let Some(awaited) = &self.awaited {
            let begins = match self.levels.last() {
                None => true,
                // A list may begin in the column of the key it belongs to.
                Some(level) => column > level.column || column == level.column && level.is_map && is_item,
            };
            if begins {
                let tag = awaited.tag;
                self.awaited = None;
                return self.node(column, tag);
            }
            self.settle()?;
        }
        while self
            .levels
            .pop_if(|level| level.column > column || level.column == column && !level.is_map && !is_item)
            .is_some()
        {
            self.builder.close(None);
        }
        let level = *self.levels.last()?;
        if level.column != column || level.is_map == is_item {
            return None;
        }
        if is_item {
            return self.item(column);
        }
        let key = self.scalar()?;
        self.member(&key)
    }

    fn settle(&mut self) -> Option<()> {
        let Some(Awaited { tag, empty }) = self.awaited.take() else { return Some(()) };
        let empty = empty?;
        self.add("", Style::Plain, tag, empty, empty)
    }

    fn node(&mut self, column: usize, tag: Option<TagMark>) -> Option<()> {
        if self.is_item() {
            self.open(false, Style::Plain, tag, self.at)?;
            self.levels.push(Level { column, is_map: false });
            return self.item(column);
        }
        if !matches!(*self.bytes.get(self.at)?, b'!' | b'[' | b'{' | b'|' | b'>') {
            let start = self.at;
            let scalar = self.scalar()?;
            if self.is_colon() {
                self.open(true, Style::Plain, tag, start)?;
                self.levels.push(Level { column, is_map: true });
                return self.member(&scalar);
            }
            // A scalar that is the whole document may continue in any line.
            self.levels.last()?;
            self.add(&scalar.value, scalar.style, tag, scalar.start, scalar.end)?;
            return self.end_line();
        }
        self.levels.last()?;
        self.inline(tag, self.at)
    }

    fn item(&mut self, mut column: usize) -> Option<()> {
        loop {
            let dash = self.at;
            self.at += 1;
            self.skip_spaces();
            if self.is_line_end() {
                // The general reader places an empty item after the spaces and the comment.
                let is_comment = self.bytes.get(self.at) == Some(&b'#');
                self.awaited = Some(Awaited { tag: None, empty: (!is_comment).then_some(self.at) });
                return self.end_line();
            }
            column += self.at - dash;
            if !self.is_item() {
                return self.node(column, None);
            }
            self.open(false, Style::Plain, None, self.at)?;
            self.levels.push(Level { column, is_map: false });
        }
    }

    fn member(&mut self, key: &Scalar<'_>) -> Option<()> {
        self.key(key)?;
        let behind = self.at;
        self.skip_spaces();
        self.inline(None, behind)
    }

    fn key(&mut self, key: &Scalar<'_>) -> Option<()> {
        const LONGEST: usize = 1000;
        if !self.is_colon() || self.at - key.start > LONGEST || key.value == "<<" {
            return None;
        }
        self.add(&key.value, key.style, None, key.start, key.end)?;
        self.at += 1;
        Some(())
    }

    /// Reads a value that is not a block collection, up to the end of its line. A missing value is awaited; if it stays
    /// empty, it is at `empty`.
    fn inline(&mut self, mut tag: Option<TagMark>, mut empty: usize) -> Option<()> {
        if self.bytes.get(self.at) == Some(&b'!') {
            if tag.is_some() {
                return None;
            }
            let own = self.tag()?;
            self.skip_spaces();
            (tag, empty) = (Some(own), own.end);
        }
        if self.is_line_end() {
            self.awaited = Some(Awaited { tag, empty: Some(empty) });
            return self.end_line();
        }
        match *self.bytes.get(self.at)? {
            b'[' | b'{' => self.flow(tag)?,
            b'|' | b'>' => return self.block_scalar(tag),
            _ => {
                let scalar = self.scalar()?;
                self.add(&scalar.value, scalar.style, tag, scalar.start, scalar.end)?;
            }
        }
        self.end_line()
    }
}
