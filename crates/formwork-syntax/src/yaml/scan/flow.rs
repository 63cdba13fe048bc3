//! Reading of lists in brackets and mappings in braces.

use super::Scanner;
use crate::tree::Style;
use crate::yaml::tag_mark::TagMark;

/// The closer of a mapping without braces, which any token ends.
const PAIR: u8 = 0;

impl Scanner<'_> {
    /// Reads a collection up to its closing bracket. No scalar in it has several lines.
    pub(super) fn flow(&mut self, tag: Option<TagMark>) -> Option<()> {
        self.closers.clear();
        self.open_flow(tag)?;
        loop {
            if self.builder.diagnostics.is_cancelled() {
                return None;
            }
            self.skip_flow_space()?;
            let closer = *self.closers.last()?;
            if self.bytes.get(self.at) == Some(&closer) {
                self.at += 1;
                self.builder.close(Some(self.at));
                self.closers.pop();
                if self.closers.is_empty() {
                    return Some(());
                }
            } else if !self.flow_entry(closer)? {
                continue;
            }
            self.end_flow_entry()?;
        }
    }

    /// Reads an entry of a collection. Returns `false` when it began a further collection.
    fn flow_entry(&mut self, closer: u8) -> Option<bool> {
        let mut is_key = closer == b'}';
        loop {
            let mut tag = None;
            if !is_key && self.bytes.get(self.at) == Some(&b'!') {
                tag = Some(self.tag()?);
                self.skip_spaces();
            }
            if !is_key && matches!(self.bytes.get(self.at)?, b'[' | b'{') {
                self.open_flow(tag)?;
                return Some(false);
            }
            let scalar = self.scalar()?;
            if !is_key && self.bytes.get(self.at) != Some(&b':') {
                self.add(&scalar.value, scalar.style, tag, scalar.start, scalar.end)?;
                return Some(true);
            }
            if !is_key {
                // A mapping of one key without braces, an element of a list: `[Name: value]`.
                if tag.is_some() || *self.closers.last()? != b']' {
                    return None;
                }
                self.open(true, Style::Flow, None, scalar.start)?;
                self.closers.push(PAIR);
            }
            self.key(&scalar)?;
            self.skip_flow_space()?;
            is_key = false;
        }
    }

    fn open_flow(&mut self, tag: Option<TagMark>) -> Option<()> {
        let is_map = *self.bytes.get(self.at)? == b'{';
        self.open(is_map, Style::Flow, tag, self.at)?;
        self.closers.push(if is_map { b'}' } else { b']' });
        self.at += 1;
        Some(())
    }

    /// Skips the comma after an entry, or moves to the closing bracket of the collection.
    fn end_flow_entry(&mut self) -> Option<()> {
        self.skip_flow_space()?;
        if self.closers.last() == Some(&PAIR) {
            self.builder.close(Some(self.at));
            self.closers.pop();
        }
        let next = *self.bytes.get(self.at)?;
        if next == b',' {
            self.at += 1;
        } else if self.closers.last() != Some(&next) {
            return None;
        }
        Some(())
    }

    fn skip_flow_space(&mut self) -> Option<()> {
        self.skip_spaces();
        if !self.is_line_end() {
            return Some(());
        }
        self.skip_line();
        let column = self.next_line()?;
        (column > 0 || !self.is_document_mark()).then_some(())
    }
}
