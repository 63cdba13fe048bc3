//! Omission of the broken part after an error, so that the rest of a file is read as it is meant.

use std::ops::Range;

use formwork_base::{Diagnostic, codes};

use super::builder::{Builder, Open};
use super::cause::Cause;
use super::outline::{Column, Line};
use super::{line_slips, pasted, quoted, slips};
use crate::tree::Style;

pub(super) struct Omission {
    /// Lines, without the dashes that begin the first one, or the end of the text.
    pub(super) range: Range<usize>,
    /// The replacement of each byte: a space, or the comma or bracket that was missing there.
    pub(super) with: &'static str,
    /// The token that began before the error, and should end there.
    pub(super) begun: Option<Begun>,
}

/// The start of a token before an error, as an offset.
#[derive(Clone, Copy)]
pub(super) enum Begun {
    Bracket(usize),
    Text(usize),
    End(usize),
}

impl Omission {
    fn blank(range: Range<usize>, begun: Option<Begun>) -> Omission {
        Omission { range, with: " ", begun }
    }
}

impl Builder<'_> {
    /// Returns the part to leave out after an error at `offset`: its line, with those that cannot be read without it,
    /// or the whole list or mapping in brackets that cannot be read without that line. `None` when nothing would be
    /// left.
    pub(super) fn omission(&self, offset: usize, cause: Cause) -> Option<Omission> {
        if let Some(conflict) = slips::conflict(self.source, offset) {
            return Some(Omission::blank(conflict.omitted, None));
        }
        if let Some(mark) = pasted::end_mark(self.source, offset) {
            return Some(Omission::blank(mark.place, None));
        }
        if cause == Cause::Bracket && self.text[offset..].starts_with([']', '}']) {
            return Some(Omission::blank(offset..offset + 1, None));
        }
        if cause == Cause::End && self.text[..self.cursor].ends_with([']', '}']) {
            let end = self.cursor - 1;
            return Some(Omission::blank(end..end + 1, Some(Begun::End(end))));
        }
        let line = line_at(self.text, offset);
        let in_brackets = self.open.stack.last().is_some_and(|open| open.style == Style::Flow);
        if cause == Cause::Quote
            && let Some(quote) = self.quote_around(line_at(self.source, offset).start, in_brackets)
        {
            let end = Line::of(self.source, quote).range.end;
            // The key of a mapping in brackets may miss its closing quote, too.
            let is_member = self.text[..quote].trim_end().ends_with(['{', ',']);
            let is_with_value = is_member && self.source[quote..end].contains(": ");
            let end = if is_with_value { quote + 1 } else { end };
            return Some(Omission::blank(quote..end, Some(Begun::Text(quote))));
        }
        let lines = |range| Some(Omission::blank(self.behind_dashes(range, offset), None));
        if self.text[line.clone()].trim().is_empty() {
            return None;
        }
        let known = self.open.stack.iter().position(|open| open.style == Style::Flow);
        // The parser reads ahead: it may find the error before it has reported the open collections.
        let (start, depth) = match known {
            Some(depth) => (self.open.stack[depth].start, depth),
            None => match self.unclosed_ahead(offset) {
                Some(start) => (start, self.open.stack.len()),
                None => return Some(self.lost_lines(offset, cause)),
            },
        };
        let is_balanced = unclosed(self.text, line.clone()).is_empty() && is_opened(self.text, &line);
        let parent = depth.checked_sub(1).map(|at| self.open.stack[at].start);
        let parent = parent.map(|parent| parent - line_at(self.text, parent).start);
        let column = column_around(self.text, start).or(parent);
        let range = column.map_or(start..self.text.len(), |column| indented(self.text, start, column));
        let is_inside = offset <= range.end;
        if let Some(behind) = self.comma_behind(offset).filter(|_| cause == Cause::Comma && is_inside) {
            return Some(Omission { range: behind - 1..behind, with: ",", begun: None });
        }
        if column.is_none() {
            if start == offset
                && self.text.ends_with('\n')
                && unclosed(self.text, start..self.text.len()).first() == Some(&start)
            {
                let (end, with) = (self.text.len(), if self.text[start..].starts_with('[') { "]" } else { "}" });
                return Some(Omission { range: end - 1..end, with, begun: None });
            }
            return if is_balanced && line.start > start { lines(line) } else { None };
        }
        if is_inside && is_balanced {
            return lines(line);
        }
        let bracket = if is_inside { None } else { unclosed(self.text, start..range.end).pop() };
        Some(Omission::blank(self.behind_dashes(range, start), bracket.map(Begun::Bracket)))
    }

    /// Returns the place before which a comma is missing, a space behind it, after an error at `offset`: at a value, or
    /// at the colon of a key.
    fn comma_behind(&self, offset: usize) -> Option<usize> {
        let line = &self.text[line_at(self.text, offset).start..offset];
        let key = line.trim_start();
        let behind = if key.is_empty() || line.ends_with([' ', '\t']) { offset } else { offset - key.len() };
        let is_key = behind == offset || key.starts_with(['"', '\'']) || !key.contains([',', '[', ']', '{', '}']);
        (is_key && self.text[..behind].ends_with([' ', '\t', '\n'])).then_some(behind)
    }

    /// Returns the part of a block list or mapping that cannot be read as it is meant after an error at `offset`.
    fn lost_lines(&self, offset: usize, cause: Cause) -> Omission {
        let line = Line::of(self.text, offset);
        // The parser may have reported the token before the line or not.
        let is_passed = self.cursor > line.range.start;
        let first = if is_passed { self.last } else { self.gap.skip(self.cursor, |_| false) };
        let is_above = first < line.range.start;
        match cause {
            Cause::Value if is_above => return self.lost_value(&line, first),
            Cause::End if self.last < line.range.start && Line::of(self.text, self.last).above().next().is_none() => {
                return self.lost_value(&line, self.last);
            }
            _ => {}
        }
        if let Some(first) = self.last_in_brackets.filter(|&first| first < line.range.start)
            && !is_opened(self.text, &(line.range.start..offset))
        {
            // The collection ends in this line, and too early.
            let column = column_around(self.text, first).unwrap_or_else(|| Line::of(self.text, first).first().at);
            let range = indented(self.text, first, column);
            return Omission::blank(self.behind_dashes(range.start..range.end.max(line.range.end), first), None);
        }
        if line.has_tab() {
            let end = line.lost_end(line.first_behind_tabs(), line.is_opened(), &line.open());
            return Omission::blank(line.range.start..end, None);
        }
        let columns = line.columns();
        let mut start = line.range.start;
        let mut head = line.first();
        let mut open = line.open();
        if cause == Cause::Column {
            // Lines above may be those of a string. Only collections with more indentation that were open until here
            // remain.
            let known: Vec<Column> = self.open.stack.iter().map(|open| self.column(open)).collect();
            open.retain(|column| column.at > head.at || known.contains(column));
        }
        // Lines below may be of the same elements as the line.
        if let [dashes @ .., content] = columns.as_slice()
            && !dashes.is_empty()
            && line.content() <= offset
        {
            open.extend_from_slice(&columns);
            (start, head) = (line.content(), *content);
        }
        Omission::blank(start..line.lost_end(head, cause == Cause::Key || line.is_opened(), &open), None)
    }

    /// Returns the start of the quoted string around the offset `at`, the start of a line.
    fn quote_around(&self, at: usize, in_flow: bool) -> Option<usize> {
        if let Some(around) = quoted::around(self.text, self.cursor, at, in_flow) {
            return Some(around.range.start);
        }
        let first = self.gap.skip(self.cursor, |_| false);
        let is_open = self.text[first..].starts_with(['"', '\'']) && quoted::read(self.text, first).is_none();
        (first < at && is_open).then_some(first)
    }

    fn column(&self, open: &Open) -> Column {
        Column { at: open.start - Line::of(self.text, open.start).range.start, is_dash: !open.is_map }
    }

    /// Returns the part that cannot be read when a string that begins at `first`, in a line above, continues in a line
    /// with a key.
    fn lost_value(&self, line: &Line<'_>, first: usize) -> Omission {
        let above = Line::of(self.text, first);
        let content = above.content();
        let own = content - above.range.start;
        let is_whole_line = first == self.gap.skip(content, |_| false);
        let begun = Some(Begun::Text(first));
        // An element or entry of its own has others at its column, or before it.
        let next = above.below().take_while(|below| below.range.start <= line.range.start);
        let next = next.min_by_key(|below| below.first().at).filter(|_| is_whole_line);
        let mut open = above.open();
        open.extend(above.opened());
        if let Some(next) = next.filter(|next| next.first().at <= own) {
            if next.first().is_dash && above.first().is_dash && !open.contains(&next.first()) {
                return Omission::blank(next.range.start..next.lost_end(next.first(), true, &open), None);
            }
            let end = next.above().next().map_or(0, |last| last.range.end).max(above.range.end);
            return Omission::blank(content..end, begun);
        }
        let end = above.lost_end(Column { at: own, is_dash: false }, true, &open);
        Omission::blank(if is_whole_line { content..end } else { line.range.start..end.max(line.range.end) }, begun)
    }

    fn unclosed_ahead(&self, offset: usize) -> Option<usize> {
        let ahead = unclosed(self.text, self.cursor.min(offset)..offset).first().copied();
        ahead.or_else(|| self.text[offset..].starts_with(['[', '{']).then_some(offset))
    }

    /// Returns a range without the dashes that begin it, when they are before `at`: lines below may be of the same
    /// elements.
    fn behind_dashes(&self, range: Range<usize>, at: usize) -> Range<usize> {
        let text = &self.text[range.clone()];
        let content = range.end - text.trim_start_matches([' ', '-']).len();
        let is_dash = self.text[..content].ends_with(' ') && text.trim_start_matches(' ').starts_with("- ");
        if is_dash && content <= at && content < range.end { content..range.end } else { range }
    }

    pub(super) fn explained(&self, mut diagnostic: Diagnostic, begun: Option<Begun>) -> Diagnostic {
        match begun {
            None => diagnostic,
            Some(Begun::Text(start)) => {
                let found =
                    diagnostic.primary.as_ref().map(|label| label.span.start().saturating_sub(self.base) as usize);
                let slip = || {
                    let at = found.filter(|_| diagnostic.code == codes::NOT_WELL_FORMED)?;
                    line_slips::of_line(self.text, start)
                        .or_else(|| line_slips::without_block_mark(self.text, start, at))
                };
                if let Some((what, help)) = slip() {
                    diagnostic.message = what;
                    diagnostic.help.clear();
                    let line = Line::of(self.text, start).range;
                    let indent = line.len() - self.text[line.clone()].trim_start().len();
                    let place = self.span(line.start + indent, line.end);
                    return diagnostic.at(place).help(help);
                } else if let Some(help) = found.and_then(|at| deeper_key(self.text, start, at)) {
                    diagnostic.help.clear();
                    diagnostic = diagnostic.help(help);
                }
                diagnostic.related(self.character(start), "the string begins here")
            }
            Some(Begun::End(end)) => diagnostic.related(self.character(end), "the template ends here"),
            Some(Begun::Bracket(bracket)) => {
                diagnostic.help.clear();
                let diagnostic =
                    diagnostic.help(format!("close the bracket `{}` above", &self.text[bracket..=bracket]));
                diagnostic.related(self.character(bracket), "opened here, and not closed")
            }
        }
    }
}

/// Returns the help for a key that is indented more than the one above it, whose value a parser continues with the
/// line.
fn deeper_key(text: &str, start: usize, at: usize) -> Option<String> {
    let (above, below) = (slips::line_start(text, start)?, slips::line_start(text, at)?);
    let key_of = |from: usize, to: usize| {
        let line = text.get(from..to)?;
        let (key, _) = line
            .trim_start_matches(' ')
            .split_once(": ")
            .or_else(|| line.trim().strip_suffix(':').map(|key| (key, "")))?;
        let is_name = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':');
        is_name.then(|| (line.len() - line.trim_start_matches(' ').len(), key.to_owned()))
    };
    let ((first, one), (second, other)) = (key_of(above, start)?, key_of(below, at + 1)?);
    (start < below && second > first)
        .then(|| format!("indent `{other}` like `{one}`: with {first} spaces, not {second}"))
}

/// Returns the column of the dash or key that a list or mapping at `start` belongs to, in the same line.
fn column_around(text: &str, start: usize) -> Option<usize> {
    let line = line_at(text, start).start;
    let (mut rest, mut dash) = (text[line..start].trim_start_matches(' '), None);
    while let Some(behind) = rest.strip_prefix("- ") {
        dash = Some(start - rest.len() - line);
        rest = behind.trim_start_matches(' ');
    }
    if rest.is_empty() || rest.starts_with(['!', '&']) { dash } else { Some(start - rest.len() - line) }
}

fn line_at(text: &str, offset: usize) -> Range<usize> {
    Line::of(text, offset).range
}

/// Returns the line of `start` and those below it that are indented more than `column`, or begin with a closing bracket
/// there.
fn indented(text: &str, start: usize, column: usize) -> Range<usize> {
    let mut range = line_at(text, start);
    let mut at = range.end;
    while let Some(next) = text[at..].find(|c| !matches!(c, '\n' | '\r')).map(|next| at + next) {
        let line = line_at(text, next);
        let content = text[line.clone()].trim_start_matches(' ');
        let indent = line.len() - content.len();
        at = line.end;
        if indent > column && !content.is_empty() || indent == column && content.starts_with([']', '}']) {
            range.end = line.end;
        } else if !content.trim().is_empty() {
            break;
        }
    }
    range
}

fn unclosed(text: &str, range: Range<usize>) -> Vec<usize> {
    let mut open = Vec::new();
    for (at, c) in brackets(&text[range.clone()]) {
        match c {
            '[' | '{' => open.push(range.start + at),
            _ => drop(open.pop()),
        }
    }
    open
}

/// Returns `true` when each closing bracket in a range is opened there, by one of its kind.
fn is_opened(text: &str, range: &Range<usize>) -> bool {
    let mut open = Vec::new();
    brackets(&text[range.clone()]).all(|(_, c)| match c {
        '[' | '{' => {
            open.push(c);
            true
        }
        ']' => open.pop() == Some('['),
        _ => open.pop() == Some('{'),
    })
}

/// Returns the brackets of some lines outside quoted strings and comments.
fn brackets(lines: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut before) = (None, ' ');
    lines.char_indices().filter(move |&(_, c)| {
        let is_start = matches!(before, ' ' | '\n' | '[' | '{' | ',' | ':');
        let is_escaped = before == '\\' && quote == Some('"');
        match (quote, c) {
            (Some('#'), '\n') => quote = None,
            (Some(mark @ ('"' | '\'')), _) if mark == c && !is_escaped => quote = None,
            (None, '"' | '\'') if is_start => quote = Some(c),
            (None, '#') if matches!(before, ' ' | '\n') => quote = Some(c),
            _ => {}
        }
        before = c;
        quote.is_none() && matches!(c, '[' | ']' | '{' | '}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        let is_balanced = |line: &str| unclosed(line, 0..line.len()).is_empty() && is_opened(line, &(0..line.len()));
        for line in ["a: [b, {c: d}]", "a: '[' # {", "a: \"}\", b: don't", "[ # {\n# [\n]", ""] {
            assert!(is_balanced(line), "{line}");
        }
        for line in ["a: [b", "}", "a: [b}", "'a': {'b': ']'"] {
            assert!(!is_balanced(line), "{line}");
        }
        assert_eq!(unclosed("a: [b, [c], {d: [e]", 2..19), [3, 12]);
    }

    #[test]
    fn a_list_belongs_to_the_key_or_dash_in_front_of_it() {
        for (line, column) in [
            ("  a: [", Some(2)),
            ("- - [", Some(2)),
            ("  - a: [", Some(4)),
            ("  - !If [", Some(2)),
            ("  [", None),
            ("!If [", None),
        ] {
            assert_eq!(column_around(line, line.len() - 1), column, "{line}");
        }
    }

    #[test]
    fn lines_below_belong_to_what_is_indented_less() {
        let text = "a:\n  b: {c: d,\n\n    e: f\n  }\n  g: h\n";
        assert_eq!(&text[indented(text, 8, 2)], "  b: {c: d,\n\n    e: f\n  }");
        assert_eq!(&text[indented(text, 8, 3)], "  b: {c: d,\n\n    e: f");
    }
}
