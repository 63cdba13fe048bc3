//! Lists in brackets and maps in braces.

use super::Scanner;
use crate::tree::Style;
use crate::yaml::tags::TagMark;

impl Scanner<'_> {
    /// Reads a collection up to its closing bracket. Lines inside are indented deeper than the block collection
    /// around, and no scalar goes on in another line.
    pub(super) fn flow(&mut self, tag: Option<TagMark>) -> Option<()> {
        self.closers.clear();
        self.open_flow(tag)?;
        loop {
            self.skip_flow_space()?;
            let closer = *self.closers.last()?;
            if self.bytes.get(self.at) == Some(&closer) {
                self.at += 1;
                self.builder.close(Some(self.at));
                self.closers.pop();
                if self.closers.is_empty() {
                    return Some(());
                }
            } else {
                if closer == b'}' {
                    self.flow_key()?;
                }
                let mut tag = None;
                if self.bytes.get(self.at) == Some(&b'!') {
                    tag = Some(self.tag()?);
                    self.skip_spaces();
                }
                if matches!(self.bytes.get(self.at)?, b'[' | b'{') {
                    self.open_flow(tag)?;
                    continue;
                }
                let scalar = self.scalar()?;
                self.add(&scalar.value, scalar.style, tag, scalar.start, scalar.end)?;
            }
            self.end_flow_entry()?;
        }
    }

    fn open_flow(&mut self, tag: Option<TagMark>) -> Option<()> {
        let is_map = *self.bytes.get(self.at)? == b'{';
        self.open(is_map, Style::Flow, tag, self.at)?;
        self.closers.push(if is_map { b'}' } else { b']' });
        self.at += 1;
        Some(())
    }

    /// Reads a key, its colon and the space behind.
    fn flow_key(&mut self) -> Option<()> {
        const LONGEST: usize = 1000;
        let key = self.scalar()?;
        if !self.is_colon() || self.at - key.start > LONGEST || key.value == "<<" {
            return None;
        }
        self.add(&key.value, key.style, None, key.start, key.end)?;
        self.at += 1;
        self.skip_flow_space()
    }

    /// Goes over the comma behind an entry, or to what closes the collection.
    fn end_flow_entry(&mut self) -> Option<()> {
        self.skip_flow_space()?;
        let next = *self.bytes.get(self.at)?;
        if next == b',' {
            self.at += 1;
        } else if self.closers.last() != Some(&next) {
            return None;
        }
        Some(())
    }

    /// Goes over spaces, line breaks and comments.
    fn skip_flow_space(&mut self) -> Option<()> {
        self.skip_spaces();
        if !self.is_line_end() {
            return Some(());
        }
        self.skip_line();
        let column = self.next_line()?;
        (column > self.levels.last()?.column).then_some(())
    }
}
