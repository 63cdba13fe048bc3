//! Literal and folded blocks.

use super::Scanner;
use crate::tree::Style;
use crate::yaml::tag_mark::TagMark;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomping {
    Clip,
    Strip,
    Keep,
}

enum Next {
    Line(usize),
    /// The block ends before this line, or at the end of the file.
    End(usize),
}

impl Scanner<'_> {
    /// Reads a block whose header is here. Returns `None` for a block without text.
    pub(super) fn block_scalar(&mut self, tag: Option<TagMark>) -> Option<()> {
        let header = self.at;
        let style = if self.bytes[header] == b'|' { Style::Literal } else { Style::Folded };
        let (chomping, digit) = self.block_header()?;
        let outer = self.levels.last()?.column;
        let indent = match digit {
            Some(digit) => outer + digit,
            None => self.block_indent(outer)?,
        };
        let mut value = std::mem::take(&mut self.block);
        value.clear();
        let end = self.block_text(indent, style, chomping, &mut value)?;
        let (text, end) = self.builder.gap.block_scalar(header, end, &value);
        self.add(text, style, tag, header, end)?;
        self.block = value;
        Some(())
    }

    /// Reads the header's line: the chomping, and the declared indentation.
    fn block_header(&mut self) -> Option<(Chomping, Option<usize>)> {
        let (mut chomping, mut digit) = (None, None);
        loop {
            self.at += 1;
            match *self.bytes.get(self.at)? {
                b'-' if chomping.is_none() => chomping = Some(Chomping::Strip),
                b'+' if chomping.is_none() => chomping = Some(Chomping::Keep),
                byte @ b'1'..=b'9' if digit.is_none() => digit = Some(usize::from(byte - b'0')),
                b' ' | b'\n' | b'\r' => break,
                _ => return None,
            }
        }
        self.end_line()?;
        Some((chomping.unwrap_or(Chomping::Clip), digit))
    }

    fn block_indent(&self, outer: usize) -> Option<usize> {
        let (mut line, mut longest) = (self.at, 0);
        loop {
            let mut at = line;
            while self.bytes.get(at) == Some(&b' ') {
                at += 1;
            }
            let column = at - line;
            match self.bytes.get(at)? {
                b'\n' => line = at + 1,
                b'\r' => line = at + 2,
                b'\t' => return None,
                _ => return (column > outer && longest <= column).then_some(column),
            }
            longest = longest.max(column);
        }
    }

    /// Appends the lines of a block to `value` and returns its end, which may be after empty lines.
    fn block_text(&mut self, indent: usize, style: Style, chomping: Chomping, value: &mut String) -> Option<usize> {
        let mut breaks = 0;
        let (mut has_text, mut is_behind_break, mut is_behind_indented) = (false, false, false);
        let end = loop {
            let start = match self.block_line(indent, &mut breaks)? {
                Next::Line(start) => start,
                Next::End(end) => break end,
            };
            let is_indented = matches!(self.bytes.get(start), Some(b' ' | b'\t'));
            if style == Style::Folded && is_behind_break && !is_behind_indented && !is_indented {
                if breaks == 0 {
                    value.push(' ');
                }
            } else if is_behind_break {
                value.push('\n');
            }
            value.extend(std::iter::repeat_n('\n', breaks));
            (breaks, has_text, is_behind_indented) = (0, true, is_indented);
            let line = memchr::memchr(b'\n', self.bytes.get(start..)?);
            let end = line.map_or(self.bytes.len(), |len| start + len);
            let has_return = line.is_some() && self.bytes[end - 1] == b'\r';
            value.push_str(self.text.get(start..end - usize::from(has_return))?);
            is_behind_break = line.is_some();
            self.at = end + usize::from(is_behind_break);
            if !is_behind_break {
                break end;
            }
        };
        if !has_text {
            return None;
        }
        if chomping != Chomping::Strip {
            value.push('\n');
        }
        if chomping == Chomping::Keep {
            value.extend(std::iter::repeat_n('\n', breaks));
        }
        Some(end)
    }

    /// Skips empty lines, counted in `breaks`, to the next line of a block. At the end of the block the scanner is at
    /// the start of a line.
    fn block_line(&mut self, indent: usize, breaks: &mut usize) -> Option<Next> {
        loop {
            let mut at = self.at;
            while at - self.at < indent && self.bytes.get(at) == Some(&b' ') {
                at += 1;
            }
            match self.bytes.get(at) {
                Some(b'\n') => self.at = at + 1,
                Some(b'\r') => self.at = at + 2,
                None => {
                    self.at = at;
                    return Some(Next::End(at));
                }
                Some(_) if at - self.at == indent => return Some(Next::Line(at)),
                Some(b'\t') => return None,
                Some(_) => return Some(Next::End(self.at)),
            }
            *breaks += 1;
        }
    }
}
