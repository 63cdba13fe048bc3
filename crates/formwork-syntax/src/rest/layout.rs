//! Positions of the sections and entries of a broken file by the columns of its lines.

use std::collections::BTreeMap;
use std::ops::Range;

pub(super) struct Layout<'t> {
    text: &'t str,
    /// Lines that are neither empty nor comments.
    lines: Vec<Line>,
    conflicts: Vec<Range<usize>>,
    pub(super) is_in_braces: bool,
}

#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// The end without the line break.
    end: usize,
    /// Offset of the first character that is not white space.
    content: usize,
    column: usize,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Key,
    Tab,
    Conflict,
    Other,
}

/// A part of a file that begins with its name: a section, or an entry of a section.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) range: Range<usize>,
    /// The name, with its quotes if it has them.
    pub(super) key: Range<usize>,
    /// Set when the part begins at another column than the others.
    pub(super) is_odd: bool,
    /// Set when nothing behind the value closes the surrounding collection.
    pub(super) is_exact: bool,
}

impl<'t> Layout<'t> {
    pub(super) fn of(text: &'t str) -> Layout<'t> {
        let mut lines = Vec::new();
        let mut conflicts: Vec<Range<usize>> = Vec::new();
        let (mut start, mut begun) = (0, None);
        for written in text.split_inclusive('\n') {
            let line = written.trim_end();
            let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let column = indent.matches(' ').count();
            let content = start + indent.len();
            let first = text[content..].chars().next();
            let kind = match conflict_mark(line) {
                Some('<') => {
                    begun = begun.or(Some(start));
                    Kind::Conflict
                }
                Some('>') => {
                    conflicts.extend(begun.take().map(|begun| begun..start + written.len()));
                    Kind::Conflict
                }
                Some(_) if begun.is_some() => Kind::Conflict,
                _ if content > start + column => Kind::Tab,
                _ if first.is_some_and(|c| c.is_alphanumeric() || matches!(c, '"' | '\'')) => Kind::Key,
                _ => Kind::Other,
            };
            if !line.is_empty() && first != Some('#') {
                lines.push(Line { start, end: start + line.len(), content, column, kind });
            }
            start += written.len();
        }
        // One of its braces may be what is missing.
        let begins =
            |line: Option<&Line>, brace: char| line.is_some_and(|line| text[line.content..].starts_with(brace));
        let is_indented = lines.iter().all(|line| line.kind != Kind::Key || line.column > 0);
        let is_in_braces = begins(lines.first(), '{') || is_indented && begins(lines.last(), '}');
        Layout { text, lines, conflicts, is_in_braces }
    }

    pub(super) fn sections(&self, is_section: &dyn Fn(&str) -> bool) -> Vec<Part> {
        let is_known = |line: &&Line| line.kind == Kind::Key && is_section(name(&self.text[self.key(line.content)]));
        let mut starts: Vec<(usize, bool)> = Vec::new();
        let mut column = 0;
        if self.is_in_braces {
            let Some(first) = self.lines.first() else { return Vec::new() };
            column = self.lines.iter().filter(is_known).map(|line| line.column).min().unwrap_or(usize::MAX);
            let brace = self.text[first.content..].starts_with('{');
            let behind = self.skip_blanks(first.content + usize::from(brace));
            if brace && behind < first.end {
                starts.push((behind, false));
            }
        }
        for line in &self.lines {
            let is_near = !self.is_in_braces && line.column == 1 && is_known(&line) && self.is_header(line);
            if line.kind == Kind::Key && (line.column == column || is_near) {
                starts.push((line.content, is_near));
            }
        }
        self.parts(&starts, self.text.len())
    }

    pub(super) fn common_column(&self, sections: &[Part]) -> Option<usize> {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for section in sections {
            if let Some(first) = self.lines_of(section).first().filter(|first| first.kind == Kind::Key) {
                *counts.entry(first.column).or_default() += 1;
            }
        }
        counts.into_iter().max_by_key(|&(column, count)| (count, std::cmp::Reverse(column))).map(|(column, _)| column)
    }

    fn lines_of(&self, section: &Part) -> &[Line] {
        let first = self.lines.partition_point(|line| line.content <= section.key.start);
        let last = self.lines.partition_point(|line| line.content < section.range.end);
        self.lines.get(first..last).unwrap_or_default()
    }

    /// Returns the entries of a section, in order; `common` is the column at which those of most sections begin.
    /// Closing brackets behind the lines of the last entry do not belong to it.
    pub(super) fn entries(&self, section: &Part, common: Option<usize>) -> Vec<Part> {
        let lines = self.lines_of(section);
        let own = section.key.start - self.line_start(section.key.start);
        let keys = || lines.iter().filter(|line| line.kind == Kind::Key && (self.is_in_braces || line.column > own));
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for line in keys() {
            *counts.entry(line.column).or_default() += 1;
        }
        let count = |column: usize| counts.get(&column).copied().unwrap_or_default();
        let Some(begun) = keys().next().map(|line| line.column) else { return Vec::new() };
        let shallow = counts.keys().next().copied().unwrap_or(begun);
        let first = lines.first().map_or(Kind::Other, |first| first.kind);
        // A first line that is out of line is the only one at its column.
        let is_alone = shallow < begun && (first == Kind::Tab || count(shallow) >= count(begun));
        let column = match common {
            Some(common) if first == Kind::Tab => common,
            // The first line is out of line, or does not belong to an entry.
            Some(common) if count(common) > 0 && (first == Kind::Other || begun.abs_diff(common) == 1) => common,
            _ if first == Kind::Other => return Vec::new(),
            _ if is_alone => shallow,
            _ => begun,
        };
        let mut above = None;
        let mut starts = Vec::new();
        for line in lines {
            let is_odd = match line.kind {
                Kind::Key => {
                    // The lines below the name of an entry are its value, if they are indented more.
                    let is_value = line.column > column && above == Some(column);
                    let is_near = line.column.abs_diff(column) == 1 && count(line.column) == 1;
                    let has_braces = line.column < column && self.text[line.content..line.end].contains(": {");
                    is_near && !is_value && (has_braces || self.is_header(line))
                }
                // A property that is indented with a tab is part of the entry above it.
                Kind::Tab => line.column == column && self.is_header(line) || above.is_none(),
                _ => false,
            };
            if line.kind == Kind::Key && line.column == column || is_odd {
                starts.push((line.content, is_odd));
            }
            above = Some(line.column);
        }
        let is_closing = |line: &&Line| {
            line.column < column && line.kind == Kind::Other && self.text[line.content..].starts_with(['}', ']'])
        };
        let mut parts = self.parts(&starts, section.range.end);
        if let Some(last) = parts.last_mut() {
            let behind = lines.iter().filter(|line| line.start > last.range.start).find(is_closing);
            last.range.end = behind.map_or(last.range.end, |line| line.start);
        }
        parts
    }

    pub(super) fn has_conflict(&self, range: &Range<usize>) -> bool {
        let next = self.conflicts.partition_point(|conflict| conflict.end <= range.start);
        self.conflicts.get(next).is_some_and(|conflict| conflict.start < range.end)
    }

    /// Returns `true` when a range has lines other than comments and marks of merge conflicts.
    pub(super) fn has_lines(&self, range: &Range<usize>) -> bool {
        let next = self.lines.partition_point(|line| line.start < range.start);
        let lines = self.lines[next..].iter().take_while(|line| line.start < range.end);
        lines.filter(|line| line.kind != Kind::Conflict).count() > 0
    }

    /// Returns the parts that begin at these offsets, each until the next one. Marks of merge conflicts behind a part
    /// do not belong to it.
    fn parts(&self, starts: &[(usize, bool)], end: usize) -> Vec<Part> {
        let next = starts.iter().skip(1).map(|&(start, _)| start).chain([end]);
        let part = |(&(start, is_odd), next): (&(usize, bool), usize)| {
            let end = if next == end { end } else { self.line_start(next).max(start) };
            let mut end = if end == start { next } else { end };
            let last = self.lines.partition_point(|line| line.start < end);
            for line in self.lines[..last].iter().rev().take_while(|line| line.kind == Kind::Conflict) {
                end = end.min(line.start).max(start);
            }
            Part { range: start..end, key: self.key(start), is_odd, is_exact: false }
        };
        starts.iter().zip(next).map(part).collect()
    }

    fn is_header(&self, line: &Line) -> bool {
        let written = &self.text[line.content..line.end];
        let written = written.split(" #").next().unwrap_or_default().trim_end();
        written.ends_with(':') && !written.contains(": ")
    }

    /// Returns the range of the name that begins at an offset, with its quotes: up to its colon, or up to the place of
    /// a missing colon or quote.
    fn key(&self, start: usize) -> Range<usize> {
        let line = self.text[start..].lines().next().unwrap_or_default();
        let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
        let bytes = line.as_bytes();
        // Names of loops and functions have two colons.
        let is_colon = |at: usize| bytes[at] == b':' && bytes.get(at + 1) != Some(&b':') && bytes[at - 1] != b':';
        let ends = |at: usize| matches!(bytes[at], b' ' | b'\t' | b'{') && quote.is_none() || is_colon(at);
        let end = (1..line.len()).find(|&at| quote.is_some_and(|quote| bytes[at] == quote as u8) || ends(at));
        let is_quoted = end.is_some_and(|end| quote.is_some_and(|quote| bytes[end] == quote as u8));
        start..start + end.map_or(line.len(), |end| end + usize::from(is_quoted))
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |at| at + 1)
    }

    fn skip_blanks(&self, at: usize) -> usize {
        at + (self.text[at..].len() - self.text[at..].trim_start_matches([' ', '\t']).len())
    }
}

pub(super) fn name(key: &str) -> &str {
    key.trim_matches(['"', '\''])
}

/// Returns the character that a line with a mark of an unresolved merge conflict consists of.
fn conflict_mark(line: &str) -> Option<char> {
    const LENGTH: usize = 7;
    let mark = line.chars().next().filter(|c| matches!(c, '<' | '=' | '>' | '|'))?;
    let rest = line.trim_start_matches(mark);
    let is_mark = line.len() - rest.len() == LENGTH && (rest.is_empty() || rest.starts_with(' '));
    is_mark.then_some(mark)
}
