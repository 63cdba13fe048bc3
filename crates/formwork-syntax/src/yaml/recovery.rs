//! What is left out of a text after an error, so that the rest of it is read as it is meant.

use std::ops::Range;

use formwork_base::Diagnostic;

use super::adapter::Gap;
use super::build::Builder;
use crate::tree::Style;

/// What a reading goes on without.
pub(super) struct Omission {
    /// Lines, but for the dashes that begin the first one, or the end of the text.
    pub(super) range: Range<usize>,
    /// What each byte of them becomes: a space, or the bracket that was missing at the end.
    pub(super) with: &'static str,
    /// The bracket that was to be closed in front of the error.
    pub(super) unclosed: Option<usize>,
}

impl Builder<'_> {
    /// What to leave out after an error at `offset`: its line or, where a list or mapping in brackets cannot be read
    /// without that line, the list or mapping. `None` when nothing is left then.
    pub(super) fn omission(&self, offset: usize) -> Option<Omission> {
        let line = line_at(self.text, offset);
        let lines = |range| Some(Omission { range: self.behind_dashes(range, offset), with: " ", unclosed: None });
        if self.text[line.clone()].trim().is_empty() {
            return None;
        }
        let known = self.stack.iter().position(|open| open.style == Style::Flow);
        // The parser reads ahead: it may find the error before it has passed on what is open.
        let (start, depth) = match known {
            Some(depth) => (self.stack[depth].start, depth),
            None => match self.unclosed_ahead(offset) {
                Some(start) => (start, self.stack.len()),
                None => return lines(line),
            },
        };
        let is_balanced = unclosed(self.text, line.clone()).is_empty() && is_opened(self.text, &line);
        let parent = depth.checked_sub(1).map(|at| self.stack[at].start);
        let parent = parent.map(|parent| parent - line_at(self.text, parent).start);
        let Some(column) = column_around(self.text, start).or(parent) else {
            if start == offset
                && self.text.ends_with('\n')
                && unclosed(self.text, start..self.text.len()).first() == Some(&start)
            {
                let (end, with) = (self.text.len(), if self.text[start..].starts_with('[') { "]" } else { "}" });
                return Some(Omission { range: end - 1..end, with, unclosed: None });
            }
            return if is_balanced && line.start > start { lines(line) } else { None };
        };
        let range = indented(self.text, start, column);
        let is_inside = offset <= range.end;
        if is_inside && is_balanced {
            return lines(line);
        }
        let bracket = if is_inside { None } else { unclosed(self.text, start..range.end).pop() };
        Some(Omission { range: self.behind_dashes(range, start), with: " ", unclosed: bracket })
    }

    /// The outermost bracket that is open at `offset`, and that the parser has not passed on, or the one that is there.
    fn unclosed_ahead(&self, offset: usize) -> Option<usize> {
        let ahead = unclosed(self.text, self.cursor.min(offset)..offset).first().copied();
        ahead.or_else(|| self.text[offset..].starts_with(['[', '{']).then_some(offset))
    }

    /// A range without the dashes that begin it, when they are in front of `at`: what is below may be of the same
    /// elements.
    fn behind_dashes(&self, range: Range<usize>, at: usize) -> Range<usize> {
        let text = &self.text[range.clone()];
        let content = range.end - text.trim_start_matches([' ', '-']).len();
        let is_dash = self.text[..content].ends_with(' ') && text.trim_start_matches(' ').starts_with("- ");
        if is_dash && content <= at && content < range.end { content..range.end } else { range }
    }

    /// An error behind a bracket that was to be closed, with the bracket.
    pub(super) fn with_bracket(&self, mut diagnostic: Diagnostic, unclosed: Option<usize>) -> Diagnostic {
        let Some(bracket) = unclosed else { return diagnostic };
        diagnostic.help.clear();
        let diagnostic = diagnostic.help(format!("close the bracket `{}` above", &self.text[bracket..=bracket]));
        diagnostic.related(self.span(bracket, bracket + 1), "opened here, and not closed")
    }
}

/// The column of the dash or key that a list or mapping at `start` belongs to, where it is in the same line.
fn column_around(text: &str, start: usize) -> Option<usize> {
    let line = line_at(text, start).start;
    let (mut rest, mut dash) = (text[line..start].trim_start_matches(' '), None);
    while let Some(behind) = rest.strip_prefix("- ") {
        dash = Some(start - rest.len() - line);
        rest = behind.trim_start_matches(' ');
    }
    if rest.is_empty() || rest.starts_with(['!', '&']) { dash } else { Some(start - rest.len() - line) }
}

/// The line of an offset, without its end.
fn line_at(text: &str, offset: usize) -> Range<usize> {
    let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    start..Gap { text }.line_end(offset)
}

/// The line of `start` and those below it that are indented more than `column`, or begin with a closing bracket there.
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

/// The brackets in a range that are not closed there.
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

/// Whether each closing bracket in a range is opened there, by one of its kind.
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

/// The brackets of some lines that are in no quoted string and no comment.
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
