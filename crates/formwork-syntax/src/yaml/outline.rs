//! The lines of a broken file as the outline of its block lists and mappings.

use std::ops::Range;

use super::adapter::Gap;

/// The start of an element or entry of a block list or mapping in its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) at: usize,
    pub(super) is_dash: bool,
}

#[derive(Clone)]
pub(super) struct Line<'t> {
    text: &'t str,
    pub(super) range: Range<usize>,
}

impl<'t> Line<'t> {
    pub(super) fn of(text: &'t str, offset: usize) -> Line<'t> {
        let start = text[..offset].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        Line { text, range: start..Gap { text }.line_end(offset) }
    }

    fn written(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    pub(super) fn is_empty(&self) -> bool {
        let content = self.written().trim();
        content.is_empty() || content.starts_with('#')
    }

    pub(super) fn has_tab(&self) -> bool {
        let line = self.written();
        line[..line.len() - line.trim_start().len()].contains('\t')
    }

    /// Returns the first token of a line with tabs in its indentation, whose column is unknown.
    pub(super) fn first_behind_tabs(&self) -> Column {
        let content = self.written().trim_start();
        Column { at: 0, is_dash: content.starts_with("- ") || content == "-" }
    }

    pub(super) fn is_closing(&self) -> bool {
        self.written().trim_start().starts_with([']', '}'])
    }

    /// Returns the columns of the dashes that begin the line, and of the content behind them.
    pub(super) fn columns(&self) -> Vec<Column> {
        let line = self.written();
        let mut rest = line.trim_start_matches(' ');
        let mut columns = Vec::new();
        loop {
            let at = line.len() - rest.len();
            let is_dash = rest == "-" || rest.starts_with("- ");
            columns.push(Column { at, is_dash });
            if !is_dash {
                return columns;
            }
            rest = rest[1..].trim_start_matches(' ');
            if rest.is_empty() {
                return columns;
            }
        }
    }

    /// Returns the columns of lists and mappings that begin or continue in the line.
    pub(super) fn opened(&self) -> Vec<Column> {
        let mut columns = self.columns();
        let line = self.written().trim_end();
        let content = line.get(columns.last().map_or(0, |last| last.at)..).unwrap_or_default();
        let is_key = !content.starts_with(['[', '{']) && (content.ends_with(':') || content.contains(": "));
        columns.retain(|column| column.is_dash || is_key);
        columns
    }

    pub(super) fn first(&self) -> Column {
        self.columns().first().copied().unwrap_or(Column { at: 0, is_dash: false })
    }

    pub(super) fn content(&self) -> usize {
        self.range.start + self.columns().last().map_or(0, |last| last.at)
    }

    /// Returns `true` when the lines below are the value of the line if they are indented more.
    pub(super) fn is_opened(&self) -> bool {
        let line = self.written();
        let line = line.find(" #").map_or(line, |comment| &line[..comment]).trim_end();
        let last = line.rsplit(' ').next().unwrap_or_default();
        last.ends_with([':', ',', '[', '{']) || last.starts_with(['!', '&', '|', '>']) || last == "-"
    }

    /// Returns `true` when the lines below are those of a block scalar if they are indented more.
    fn is_header(&self) -> bool {
        let last = self.written().trim_end().rsplit(' ').next().unwrap_or_default();
        last.starts_with(['|', '>']) && last.len() <= 3
    }

    pub(super) fn below(&self) -> impl Iterator<Item = Line<'t>> + use<'t> {
        let next = |line: &Line<'t>| {
            let at = line.range.end;
            (at < line.text.len()).then(|| Line::of(line.text, at + 1))
        };
        std::iter::successors(next(self), next).filter(|line| !line.is_empty())
    }

    pub(super) fn above(&self) -> impl Iterator<Item = Line<'t>> + use<'t> {
        let next = |line: &Line<'t>| line.range.start.checked_sub(1).map(|at| Line::of(line.text, at));
        std::iter::successors(next(self), next).filter(|line| !line.is_empty())
    }

    /// Returns the columns of the open collections before the line, innermost first: each line below may continue one
    /// of them.
    pub(super) fn open(&self) -> Vec<Column> {
        let mut open: Vec<Column> = Vec::new();
        for line in self.above() {
            let columns = line.opened();
            if line.is_header() {
                // The lines below are a string.
                let own = columns.last().map_or(0, |last| last.at);
                if open.last().is_none_or(|outer| outer.at > own) {
                    open.clear();
                }
            }
            for column in columns.into_iter().rev() {
                let is_around = open.last().is_none_or(|inner| {
                    column.at < inner.at || column.at == inner.at && inner.is_dash && !column.is_dash
                });
                if is_around {
                    open.push(column);
                }
            }
            if open.last().is_some_and(|last| last.at == 0 && !last.is_dash) {
                break;
            }
        }
        open
    }

    /// Returns the end of the lines that are lost with the part that begins at `head` in this line: those of its value,
    /// those that are in no column of `open`, and those with tabs. `has_value` is `true` when lines that are indented
    /// more are its value.
    pub(super) fn lost_end(&self, head: Column, has_value: bool, open: &[Column]) -> usize {
        // A key is around a list at its column.
        let depth = |column: Column| (column.at, column.is_dash);
        let mut end = self.range.end;
        let mut above = Some((head, has_value));
        let mut outermost = None;
        for line in self.below() {
            let first = line.first();
            end = match above.take() {
                _ if line.has_tab() => {
                    above = Some((line.first_behind_tabs(), line.is_opened()));
                    line.range.end
                }
                Some((head, has_value))
                    if has_value && depth(first) > depth(head)
                        || head.is_dash && first.at > head.at && !first.is_dash =>
                {
                    outermost = Some(depth(first));
                    line.range.end
                }
                _ if line.is_closing() => line.range.end,
                _ => {
                    let goes_on = open.contains(&first) || open.is_empty() && first.at == 0;
                    if goes_on && outermost.is_none_or(|outermost| depth(first) < outermost) {
                        break;
                    }
                    outermost = Some(outermost.map_or(depth(first), |outermost| outermost.min(depth(first))));
                    line.range.end
                }
            };
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
A:
  - B: c
    D:

      # e
      - - f
        - g
  - h
I:
- j:
   k
";

    fn line(start: &str) -> Line<'static> {
        Line::of(TEXT, TEXT.find(start).unwrap_or(TEXT.len()))
    }

    #[test]
    fn columns_of_a_line() {
        let columns = |text| Line::of(text, 0).columns().iter().map(|one| (one.at, one.is_dash)).collect::<Vec<_>>();
        assert_eq!(columns("  a: b"), [(2, false)]);
        assert_eq!(columns("- -  a"), [(0, true), (2, true), (5, false)]);
        assert_eq!(columns(" -"), [(1, true)]);
        assert_eq!(columns("-a"), [(0, false)]);
    }

    #[test]
    fn what_is_open_in_front_of_a_line() {
        let open = |start| line(start).open().iter().map(|one| (one.at, one.is_dash)).collect::<Vec<_>>();
        assert_eq!(open("g"), [(8, true), (6, true), (4, false), (2, true), (0, false)]);
        assert_eq!(open("h"), [(8, true), (6, true), (4, false), (2, true), (0, false)]);
        assert_eq!(open("   k"), [(2, false), (0, true), (0, false)]);
        assert_eq!(open("A"), []);
    }

    #[test]
    fn lines_that_are_lost_with_another() {
        let lost = |text: &'static str, head: &str, open: &[(usize, bool)]| {
            let line = Line::of(text, text.find(head).unwrap_or(text.len()));
            let open: Vec<Column> = open.iter().map(|&(at, is_dash)| Column { at, is_dash }).collect();
            &text[line.lost_end(line.first(), line.is_opened(), &open)..]
        };
        // A key that is out of line, with its value.
        assert_eq!(lost("   b:\n     c: d\n    e: f\n", "b", &[(4, false), (2, false)]), "\n    e: f\n");
        assert_eq!(lost("   b: c\n    e: f\n", "b", &[(4, false), (2, false)]), "\n    e: f\n");
        // All keys but the first one.
        assert_eq!(lost("  b:\n    c: d\n  e: f\ng: h\n", "b", &[(4, false), (0, false)]), "\ng: h\n");
        assert_eq!(lost("  b:\n  - c\n  - d\n  e: f\n", "b", &[(2, false), (0, false)]), "\n  e: f\n");
    }
}
