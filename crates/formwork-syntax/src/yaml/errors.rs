//! Errors of `granit-parser`, and their interpretation by readers of YAML 1.1.

use formwork_base::{Diagnostic, LineIndex, Span, codes};
use granit_parser::{ErrorKind, ScanError};

use super::builder::{Broken, Builder, Forgiven};
use super::cause::Cause;
use super::outline::Line;
use super::quoted::Quoted;
use super::{fault, line_slips, missing, pasted, quoted, slips, tag_pairs};
use crate::document::depth_error;
use crate::function::Known;
use crate::tree::Style;

impl Builder<'_> {
    pub(super) fn second_document(&self, start: usize) -> Box<Broken> {
        let diagnostic = Diagnostic::new(
            codes::NOT_WELL_FORMED,
            "the file contains more than one YAML document: `Template format error: unsupported structure.`",
        )
        .at(if self.text[start..].starts_with("---") { self.span(start, start + 3) } else { self.character(start) })
        .label("the second document begins here")
        .help("write each template in its own file");
        Box::new(Broken { offset: start, diagnostic, cause: None, forgiven: None })
    }

    pub(super) fn character(&self, at: usize) -> Span {
        let character = self.text[at..].chars().next().filter(|c| !matches!(c, '\n' | '\r'));
        self.span(at, at + character.map_or(0, char::len_utf8))
    }

    /// Converts an error of a parser whose text begins at `first`.
    pub(super) fn scan_error(&self, error: &ScanError, first: usize) -> Broken {
        let offset = (first + error.marker().byte_offset().unwrap_or(0)).min(self.text.len());
        let offset = (0..=offset).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        let forgiven = self.forgiven(error.kind(), offset);
        let offset = self.tab_behind(error.kind(), offset).unwrap_or(offset);
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded)
            || error.info().contains("limit exceeded")
            || error.info().contains("nesting limit")
        {
            return Broken {
                offset,
                diagnostic: depth_error(self.limits.depth, self.span(offset, offset)),
                cause: None,
                forgiven: None,
            };
        }
        let (line, column) = self.line_index().line_column(self.source, offset as u32);
        let sentence = format!("Template format error: YAML not well-formed. (line {line}, column {column})");
        if let Some((offset, diagnostic)) = self.known_slip(offset, &sentence) {
            return Broken { offset, diagnostic, cause: Some(Cause::of(error.kind())), forgiven };
        }
        let is_of_brackets = matches!(Cause::of(error.kind()), Cause::Comma);
        let slip = slips::placeholder(self.text, offset).filter(|_| is_of_brackets);
        let slip = slip.or_else(|| slips::percent_brace(self.text, offset));
        let is_colon = matches!(error.kind(), ErrorKind::MappingValueNotAllowed);
        let slip = slip.or_else(|| slips::function_beside_key(self.text, offset).filter(|_| is_colon));
        let is_of_line = is_colon || self.text[offset..].starts_with("//") || self.text[offset..].starts_with('!');
        let slip = slip.or_else(|| line_slips::of_line(self.text, offset).filter(|_| is_of_line));
        let slip = slip.or_else(|| line_slips::of_languages(self.text, offset));
        let (what, help) = match (slip, fault::words(error.kind())) {
            (Some((what, help)), _) => (what, Some(help)),
            (None, Some((what, help))) => (what, Some(help.to_owned())),
            (None, None) => (error.info().clone(), None),
        };
        let help = if Line::of(self.text, offset).has_tab() {
            Some("indent with spaces: YAML does not allow tabs".to_owned())
        } else {
            help
        };
        let mut diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, format!("{what}: `{sentence}`"))
            .at(self.character(offset))
            .label("here");
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        if matches!(error.kind(), ErrorKind::MissingAnchorOrAliasName) {
            diagnostic = diagnostic.indicator('*');
        }
        Broken { offset, diagnostic, cause: Some(Cause::of(error.kind())), forgiven }
    }

    /// Returns the report of a mistake that is known by its text, and its place: two tags, a merge conflict, what was copied
    /// with the template, a missing comma.
    fn known_slip(&self, offset: usize, sentence: &str) -> Option<(usize, Diagnostic)> {
        if let Some((first, second)) = self.two_tags(offset) {
            let diagnostic = Diagnostic::new(codes::TWO_TAGS, format!("one value has two short tags: `{sentence}`"))
                .at(self.span(offset, offset + second.len()))
                .label(format!("`{second}` follows `{first}`"))
                .note("a YAML node can have only one tag");
            let meant = tag_pairs::meant(self.text, (first, second), offset);
            let diagnostic = match (meant, Known::from_short(first.trim_start_matches('!'))) {
                (Some(meant), _) => {
                    let place = self.span(meant.range.start, meant.range.end);
                    diagnostic.help(format!("write `{}`", meant.code)).unsafe_fix("write one tag", place, meant.code)
                }
                (None, Some(known)) => {
                    diagnostic.help(format!("write the outer function in full: `{}: {second} ...`", known.long()))
                }
                (None, None) => diagnostic.help("write the outer function in full"),
            };
            return Some((offset, diagnostic));
        }
        if let Some(conflict) = slips::conflict(self.source, offset) {
            let (start, end) = (conflict.lines.start, conflict.lines.end.saturating_sub(1).max(conflict.lines.start));
            let [first, last] = [start, end].map(|at| self.line_index().line_column(self.source, at as u32).0);
            let sentence = format!("Template format error: YAML not well-formed. (line {first}, column 1)");
            let what = format!("unresolved merge conflict, lines {first} to {last}: `{sentence}`");
            let diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, what)
                .at(self.span(start, start + "<<<<<<<".len()))
                .help("keep one of the two versions, and remove the lines of marks");
            return Some((offset, diagnostic));
        }
        if let Some(pasted) = pasted::end_mark(self.source, offset) {
            let diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, format!("{}: `{sentence}`", pasted.what))
                .at(self.span(pasted.place.start, pasted.place.end))
                .help(pasted.help);
            return Some((pasted.place.start, diagnostic));
        }
        if let Some(missing) = missing::element(self.text, offset).filter(|_| self.is_in_brackets()) {
            let place = self.span(missing.place.start, missing.place.end);
            let diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, format!("{}: `{sentence}`", missing.what))
                .at(place)
                .help(missing.help)
                .unsafe_fix("write what is missing", self.span(missing.place.start, missing.place.start), missing.text);
            return Some((offset, diagnostic));
        }
        None
    }

    /// Returns the tab that an error is about, when it was found at the end of a line above.
    fn tab_behind(&self, kind: &ErrorKind, offset: usize) -> Option<usize> {
        let line = Line::of(self.text, offset);
        let is_in_scalar = matches!(kind, ErrorKind::TabInPlainScalar | ErrorKind::TabAtBlockScalarStart);
        if !(is_in_scalar || is_about_tab(kind)) || line.has_tab() {
            return None;
        }
        let below = line.below().find(Line::has_tab)?;
        self.text[below.range.clone()].find('\t').map(|tab| below.range.start + tab)
    }

    fn is_in_brackets(&self) -> bool {
        self.open.stack.last().is_some_and(|open| open.style == Style::Flow)
    }

    fn line_index(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(self.source))
    }

    pub(super) fn forgiven(&self, kind: &ErrorKind, offset: usize) -> Option<Forgiven> {
        match kind {
            ErrorKind::CommentNotSeparated => {
                let before = self.source[..offset].chars().next_back()?;
                (self.source[offset..].starts_with('#') && "'\"[]{},".contains(before)).then_some(Forgiven::Comment)
            }
            ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
                let range = offset..offset + 1;
                let is_alone =
                    self.source[offset..].starts_with(['-']) && self.source[range.end..].starts_with([',', ']', '}']);
                is_alone.then(|| Forgiven::Dash(Quoted { range, value: "-".to_owned() }))
            }
            kind if is_about_tab(kind)
                || matches!(kind, ErrorKind::InvalidQuotedScalarIndent | ErrorKind::InvalidIndentation) =>
            {
                let in_flow = self.open.stack.last().is_some_and(|open| open.style == Style::Flow);
                let found = quoted::around(self.source, self.cursor, offset, in_flow)?;
                let known = self.quoted.all.binary_search_by_key(&found.range.start, |known| known.range.start);
                let is_new = known.ok().is_none_or(|at| self.quoted.all[at].range != found.range);
                is_new.then_some(Forgiven::Quoted(found))
            }
            _ => None,
        }
    }

    pub(super) fn two_tags(&self, offset: usize) -> Option<(&str, &str)> {
        let second =
            self.text[offset..].split(|c: char| c.is_whitespace()).next().filter(|word| word.starts_with('!'))?;
        let before = self.text[..offset].trim_end_matches([' ', '\t']);
        let first = before
            .rsplit(|c: char| c.is_whitespace() || c == ',' || c == '[')
            .next()
            .filter(|word| word.starts_with('!'))?;
        Some((first, second))
    }
}

fn is_about_tab(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::TabNotAllowed | ErrorKind::TabInIndentation | ErrorKind::TabInBlockIndentation)
}
