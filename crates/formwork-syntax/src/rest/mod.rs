//! The rest of a file that is not well-formed: its sections and entries that are well-formed by themselves.
//!
//! The readers continue behind an error, and their reading of the lines around it is a guess. For all other checks
//! (reference/diagnostics.md#wording) each section is read alone, and of a section that cannot be read each entry: a
//! mistake costs the entry that it is in, and no more.

mod braces;
mod layout;
#[cfg(test)]
mod tests;

use std::ops::Range;

use formwork_base::{Diagnostics, Limits, Severity, Span, codes};

use crate::document::{Format, check_duplicate};
use crate::function::{Function, Known};
use crate::json::read::call_name;
use crate::tree::{Entry, Kind, NodeId, Origin, Style, Tree};
use crate::{json, yaml};
use braces::Braces;
use layout::{Layout, Part, name};

/// A file that is not well-formed.
#[derive(Clone, Copy)]
pub struct Broken<'t> {
    /// The text.
    pub text: &'t str,
    /// The position of the first byte.
    pub base: u32,
    /// The language as which the file is read.
    pub format: Format,
    /// The positions of the errors, or of the beginnings of the tokens that contain them.
    pub errors: &'t [u32],
}

/// The names of sections.
#[derive(Clone, Copy)]
pub struct Sections<'s> {
    /// The sections that have entries.
    pub with_entries: &'s [&'s str],
    /// All others.
    pub others: &'s [&'s str],
}

/// The parts of a file that are well-formed by themselves.
pub struct Rest {
    /// The sections.
    pub sections: Vec<Entry>,
    /// The parts that are left out, in order.
    pub lost: Vec<Lost>,
}

/// A part of a file that cannot be read.
pub struct Lost {
    /// The place.
    pub span: Span,
    /// The section that the part is or belongs to, if that is a known one.
    pub section: Option<String>,
    /// The name of the entry; `None` for a section or its first line.
    pub entry: Option<String>,
}

/// Reads the parts of a file that are well-formed by themselves. Returns `None` when no lost part explains the errors.
pub fn read(
    tree: &mut Tree,
    broken: Broken<'_>,
    sections: Sections<'_>,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Option<Rest> {
    let layout = Layout::of(broken.text);
    let is_section = |name: &str| sections.with_entries.contains(&name) || sections.others.contains(&name);
    let braces = Braces::of(broken.text, &is_section);
    let parts = braces.as_ref().map_or_else(|| layout.sections(&is_section), Braces::sections);
    let common = layout.common_column(&parts);
    let mut read = |doubted: Vec<u32>| {
        let mut found = diagnostics.of_same_run();
        let lost = Vec::new();
        let (layout, braces, diagnostics) = (&layout, braces.as_ref(), &mut found);
        let mut reader = Reader { tree, broken, sections, limits, diagnostics, layout, braces, common, lost, doubted };
        let sections = reader.read_all(&parts);
        (Rest { sections, lost: reader.lost }, found)
    };
    let (mut rest, mut found) = read(Vec::new());
    // An error is in a lost part, or follows from it.
    let begin = rest.lost.iter().map(|lost| lost.span.start()).min();
    let unexplained: Vec<u32> =
        broken.errors.iter().copied().filter(|&at| begin.is_none_or(|begin| at < begin)).collect();
    if !unexplained.is_empty() {
        (rest, found) = read(unexplained);
    }
    if rest.lost.is_empty() {
        return None;
    }
    diagnostics.append(found);
    Some(rest)
}

struct Reader<'r, 'b> {
    tree: &'r mut Tree,
    broken: Broken<'b>,
    sections: Sections<'b>,
    limits: &'r Limits,
    diagnostics: &'r mut Diagnostics,
    layout: &'r Layout<'b>,
    /// The positions of the parts, if the lines do not show them.
    braces: Option<&'r Braces<'b>>,
    common: Option<usize>,
    lost: Vec<Lost>,
    /// Positions of errors with which a part is not read, though it is well-formed.
    doubted: Vec<u32>,
}

impl Reader<'_, '_> {
    fn read_all(&mut self, parts: &[Part]) -> Vec<Entry> {
        let mut sections = Vec::new();
        for part in parts {
            if self.diagnostics.is_cancelled() {
                break;
            }
            sections.extend(self.section(part));
        }
        let before = sections.len();
        let lost = check_duplicate(self.tree, &mut sections, self.diagnostics);
        debug_assert_eq!(before, sections.len() + lost.len(), "the last one of each name stays");
        sections
    }

    fn section(&mut self, part: &Part) -> Option<Entry> {
        let is_in_braces = self.braces.is_some() || self.layout.is_in_braces;
        let is_certain = self.braces.is_none() || !part.is_odd;
        if let Some(entry) = is_certain.then(|| self.part(part, is_in_braces)).flatten() {
            return Some(entry);
        }
        let name = name(&self.broken.text[part.key.clone()]).to_owned();
        let is_known = self.sections.others.contains(&name.as_str());
        let has_entries = self.sections.with_entries.contains(&name.as_str());
        let section = (is_known || has_entries).then_some(name.as_str());
        if let Some(braces) = self.braces {
            let entries = if has_entries { braces.entries(part) } else { Vec::new() };
            let Some(first) = entries.first() else {
                self.lose(part.range.clone(), section, None);
                return None;
            };
            let header = part.key.end..first.range.start;
            if !is_opener(&self.broken.text[header.clone()]) {
                self.lose(part.range.start..first.range.start, section, None);
            }
            return Some(self.read_entries(part, &entries, section, header.end, true));
        }
        let header_end =
            self.broken.text[part.key.end..].find('\n').map_or(self.broken.text.len(), |at| part.key.end + at);
        let header = part.key.end..header_end.min(part.range.end);
        if !has_entries || self.layout.has_conflict(&header) {
            self.lose(part.range.clone(), section, None);
            return None;
        }
        let value = self.broken.text[header.clone()].split(" #").next().unwrap_or_default();
        let value = value.trim_start_matches([':', ' ']);
        let is_in_braces = self.layout.is_in_braces || value.starts_with('{');
        // Entries in the first line have no known end.
        let is_inline = value.contains(char::is_alphanumeric);
        let entries = if is_inline { Vec::new() } else { self.layout.entries(part, self.common) };
        let is_plain = part.is_odd || !is_opener(&self.broken.text[header]);
        let first = entries.first().map_or(part.range.end, |first| first.range.start);
        let is_all_read = !self.layout.has_lines(&(header_end.min(first)..first));
        if is_plain || !is_all_read || entries.is_empty() {
            self.lose(part.range.start..first, section, None);
        }
        Some(self.read_entries(part, &entries, section, header_end.min(first), is_in_braces))
    }

    fn read_entries(
        &mut self,
        part: &Part,
        entries: &[Part],
        section: Option<&str>,
        start: usize,
        is_in_braces: bool,
    ) -> Entry {
        let mut read = Vec::new();
        for entry in entries {
            if let Some(entry) = self.part(entry, is_in_braces).filter(|_| !entry.is_odd) {
                read.push(entry);
            } else {
                let name = layout::name(&self.broken.text[entry.key.clone()]).to_owned();
                self.lose(entry.range.clone(), section, Some(name));
            }
        }
        let lost = check_duplicate(self.tree, &mut read, self.diagnostics);
        let style = if is_in_braces { Style::Flow } else { Style::Plain };
        let name = name(&self.broken.text[part.key.clone()]);
        let key_style = if self.broken.text[part.key.clone()].starts_with('"') { Style::Double } else { Style::Plain };
        let key = self.tree.key(name, key_style, Origin::Authored(self.span(&part.key)));
        let origin = Origin::Authored(self.span(&(start..part.range.end)));
        let value = match read.as_slice() {
            &[Entry { key, value }] if call_name(self.tree.text(key)) => {
                let function = match Known::from_long(self.tree.text(key)) {
                    Some(known) => Function::Known(known),
                    None => Function::Other(self.tree.symbol(key)),
                };
                self.tree.add_call(function, key, value, style, origin)
            }
            entries => self.tree.map(entries, style, origin),
        };
        self.tree.set_lost(value, lost);
        Entry { key, value }
    }

    fn part(&mut self, part: &Part, is_in_braces: bool) -> Option<Entry> {
        let span = self.span(&part.range);
        let is_doubted = self.doubted.iter().any(|&at| (span.start()..span.end()).contains(&at));
        if is_doubted || self.layout.has_conflict(&part.range) {
            return None;
        }
        let mut found = self.diagnostics.of_same_run();
        let entry = if is_in_braces { self.in_braces(part, &mut found) } else { self.in_block(part, &mut found) };
        let is_of_value = |code| [codes::UNKNOWN_TAG, codes::DUPLICATE_KEY].contains(&code);
        let is_broken = found.iter().any(|found| found.severity == Severity::Error && !is_of_value(found.code));
        let entry = entry.filter(|_| !is_broken)?;
        self.diagnostics.append(found);
        Some(entry)
    }

    fn in_block(&mut self, part: &Part, found: &mut Diagnostics) -> Option<Entry> {
        let start = self.layout.line_start(part.range.start);
        let root = self.yaml(start..part.range.end, found);
        match self.tree.kind(root) {
            Kind::Map if self.tree.len(root) == 1 => Some(self.tree.entry(root, 0)),
            Kind::Call => {
                let (_, value) = self.tree.call(root);
                Some(Entry { key: self.tree.call_name(root), value })
            }
            _ => None,
        }
    }

    fn in_braces(&mut self, part: &Part, found: &mut Diagnostics) -> Option<Entry> {
        let text = self.broken.text;
        let written = &text[part.key.clone()];
        let value = text[part.key.end..part.range.end].trim_start().strip_prefix(':')?;
        let is_quoted = is_quoted(written);
        let is_plain = !written.is_empty() && !written.contains(['"', '\'']) && value.starts_with(char::is_whitespace);
        if value.trim().is_empty() || !(is_quoted || is_plain) {
            return None;
        }
        let start = part.range.end - value.len();
        let whole = value.trim_end();
        let whole = whole.strip_suffix(',').unwrap_or(whole);
        // The last section has the end of the template behind it.
        let is_last = !part.is_exact && part.range.end == text.len() && self.layout.is_in_braces;
        let whole = if is_last { whole.strip_suffix('}')? } else { whole };
        let range = start..start + whole.len();
        let value = match self.broken.format {
            Format::Json => {
                let base = self.broken.base + range.start as u32;
                json::read::read(self.tree, &text[range], base, self.limits, found)
            }
            Format::Yaml => self.yaml(range, found),
        };
        let style = match written.chars().next() {
            Some('"') => Style::Double,
            Some('\'') => Style::Single,
            _ => Style::Plain,
        };
        let key = self.tree.key(name(written), style, Origin::Authored(self.span(&part.key)));
        Some(Entry { key, value })
    }

    fn yaml(&mut self, range: Range<usize>, found: &mut Diagnostics) -> NodeId {
        let base = self.broken.base + range.start as u32;
        yaml::read::read(self.tree, &self.broken.text[range], base, self.limits, found)
    }

    fn lose(&mut self, range: Range<usize>, section: Option<&str>, entry: Option<String>) {
        let span = self.span(&range);
        self.lost.push(Lost { span, section: section.map(str::to_owned), entry });
    }

    fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.broken.base + range.start as u32, self.broken.base + range.end as u32)
    }
}

fn is_quoted(key: &str) -> bool {
    ['"', '\''].iter().any(|&quote| {
        let inner = key.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inner.is_some_and(|inner| !inner.contains(quote))
    })
}

/// Returns `true` when only a colon, and maybe a brace, is behind a key.
fn is_opener(written: &str) -> bool {
    let written = written.split(" #").next().unwrap_or_default();
    matches!(written.trim(), ":" | ": {" | ":{")
}
