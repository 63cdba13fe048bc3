//! The text of entries of united collections: each with the comments above it, and those beside and below it.

use formwork_base::{FileId, SourceMap};
use formwork_syntax::{Document, Format, Kind, NodeId, Style, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lines;
use crate::union::Merged;

/// An authored collection whose entries are in a created one.
pub(crate) struct Part {
    /// The key of the collection; `None` for a root.
    key: Option<NodeId>,
    pub(crate) file: FileId,
    /// Set when each entry begins a line.
    pub(crate) is_block: bool,
    /// Set when nothing follows in the file.
    is_at_end: bool,
    /// Keys or elements, each with its value.
    members: Vec<(NodeId, NodeId)>,
}

impl Part {
    /// Returns `true` for the root of a file.
    pub(crate) fn is_root(&self) -> bool {
        self.key.is_none()
    }
}

/// The place of an entry: the number of its part, and that in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) part: usize,
    pub(crate) at: usize,
}

pub(crate) struct Units<'u> {
    tree: &'u Tree,
    sources: &'u SourceMap,
    /// The files in YAML.
    yaml: FxHashSet<FileId>,
    parts: Vec<Part>,
    of: FxHashMap<NodeId, Unit>,
}

impl<'u> Units<'u> {
    pub(crate) fn new(tree: &'u Tree, sources: &'u SourceMap, documents: &[Document], merged: &Merged) -> Units<'u> {
        let yaml = documents.iter().filter(|one| one.format == Format::Yaml).map(|one| one.file).collect();
        let mut units = Units { tree, sources, yaml, parts: Vec::new(), of: FxHashMap::default() };
        for &(key, node) in &merged.parts {
            units.add(key, node);
        }
        units
    }

    pub(crate) fn is_yaml(&self, file: FileId) -> bool {
        self.yaml.contains(&file)
    }

    fn add(&mut self, key: Option<NodeId>, node: NodeId) {
        let Some(file) = self.sources.file_of(self.tree.span(key.unwrap_or(node))) else { return };
        let is_yaml = self.is_yaml(file);
        let members: Vec<(NodeId, NodeId)> = match self.tree.kind(node) {
            Kind::List => self.tree.items(node).iter().map(|&item| (item, item)).collect(),
            _ => self.tree.data_members(node).into_iter().flatten().map(|one| (one.key, one.value)).collect(),
        };
        let is_at_end = key.is_none_or(|key| {
            self.of.get(&key).is_some_and(|unit| {
                let around = &self.parts[unit.part];
                around.is_at_end && unit.at + 1 == around.members.len()
            })
        });
        let is_block = is_yaml && self.tree.style(node) == Style::Plain && !self.tree.is_alias(node);
        let part = self.parts.len();
        for (at, &(unit, _)) in members.iter().enumerate() {
            self.of.entry(unit).or_insert(Unit { part, at });
        }
        self.parts.push(Part { key, file, is_block, is_at_end, members });
    }

    pub(crate) fn unit(&self, node: NodeId) -> Option<Unit> {
        self.of.get(&node).copied()
    }

    pub(crate) fn part(&self, unit: Unit) -> &Part {
        &self.parts[unit.part]
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, &Part)> {
        self.parts.iter().enumerate()
    }

    pub(crate) fn text(&self, file: FileId) -> &'u str {
        self.sources.text(file)
    }

    /// Returns the offset of a position in its file.
    pub(crate) fn offset(&self, file: FileId, at: u32) -> usize {
        (at.saturating_sub(self.sources.base(file)) as usize).min(self.text(file).len())
    }

    /// Returns the offset of the key or of the dash of an entry.
    pub(crate) fn start(&self, unit: Unit) -> usize {
        let part = self.part(unit);
        let (node, value) = part.members[unit.at];
        let start = self.offset(part.file, self.tree.span(node).start());
        if node != value {
            return start;
        }
        self.text(part.file)[..start].rfind('-').unwrap_or(start)
    }

    /// Returns the range of the value of an entry.
    pub(crate) fn value(&self, unit: Unit) -> (usize, usize) {
        let part = self.part(unit);
        let (_, value) = part.members[unit.at];
        (self.offset(part.file, self.tree.site(value).start()), self.content_end(part.file, value))
    }

    /// Returns the text of the key of an entry.
    pub(crate) fn key_text(&self, unit: Unit) -> &'u str {
        self.sources.slice(self.tree.span(self.part(unit).members[unit.at].0))
    }

    pub(crate) fn column(&self, unit: Unit) -> usize {
        lines::column(self.text(self.part(unit).file), self.start(unit))
    }

    /// Returns the offset of the comments and empty lines above an entry: the end of what is before it.
    pub(crate) fn lead_start(&self, unit: Unit) -> usize {
        let part = self.part(unit);
        let text = self.text(part.file);
        if let Some(at) = unit.at.checked_sub(1) {
            return lines::behind_break(text, self.tail_end(Unit { at, ..unit }));
        }
        match part.key {
            Some(key) => {
                let end = lines::line_end(text, self.offset(part.file, self.tree.span(key).end()));
                lines::behind_break(text, end).min(lines::line_start(text, self.start(unit)))
            }
            None => head_end(text),
        }
    }

    /// Returns the end of the last line of an entry, with the comments that belong to it: deeper ones, and behind the
    /// last entry those in its column.
    pub(crate) fn tail_end(&self, unit: Unit) -> usize {
        let part = self.part(unit);
        let (text, (node, value)) = (self.text(part.file), part.members[unit.at]);
        let is_last = unit.at + 1 == part.members.len();
        let column = self.column(unit);
        let end = self.content_end(part.file, value).max(self.offset(part.file, self.tree.span(node).end()));
        let mut end = lines::line_end(text, end);
        let keeps_breaks = self.keeps_breaks(part.file, value);
        let (mut at, mut is_beside) = (lines::behind_break(text, end), true);
        while at < text.len() {
            let line_end = lines::line_end(text, at);
            let line = &text[at..line_end];
            let content = line.trim_start();
            let depth = lines::indent(line);
            let belongs = match content.is_empty() {
                true => keeps_breaks && is_beside,
                false if !content.starts_with('#') => break,
                false => {
                    is_beside = false;
                    is_last && part.is_at_end || depth > column || is_last && part.key.is_some() && depth == column
                }
            };
            if belongs {
                end = line_end;
            } else if !content.is_empty() {
                break;
            }
            let next = lines::behind_break(text, line_end);
            if next == line_end {
                break;
            }
            at = next;
        }
        end
    }

    /// Returns the end of the text of a value, without line breaks behind it.
    pub(crate) fn content_end(&self, file: FileId, node: NodeId) -> usize {
        let tree = self.tree;
        let own = self.offset(file, tree.site(node).end());
        let start = self.offset(file, tree.site(node).start());
        let end = if tree.is_alias(node) || tree.style(node) == Style::Flow {
            own
        } else {
            match tree.kind(node) {
                Kind::Map => tree.entries(node).map(|entry| self.entry_end(file, entry.key, entry.value)).max(),
                Kind::List => tree.items(node).iter().map(|&item| self.content_end(file, item)).max(),
                Kind::Call => Some(self.entry_end(file, tree.call_name(node), tree.call(node).1)),
                _ => None,
            }
            .unwrap_or(own)
        };
        let text = self.text(file);
        let trimmed = text[start.min(end)..end].trim_end_matches(['\n', '\r', ' ']).len();
        start.min(end) + trimmed
    }

    fn entry_end(&self, file: FileId, key: NodeId, value: NodeId) -> usize {
        let key = self.offset(file, self.tree.span(key).end());
        if self.sources.file_of(self.tree.site(value)) == Some(file) {
            self.content_end(file, value).max(key)
        } else {
            key
        }
    }

    /// Returns `true` if empty lines behind a value are a part of it.
    fn keeps_breaks(&self, file: FileId, mut node: NodeId) -> bool {
        let tree = self.tree;
        loop {
            if tree.is_alias(node) || tree.style(node) == Style::Flow {
                return false;
            }
            let last = match tree.kind(node) {
                Kind::Map => tree.entries(node).next_back().map(|entry| entry.value),
                Kind::List => tree.items(node).last().copied(),
                Kind::Call => Some(tree.call(node).1),
                _ => {
                    let start = self.offset(file, tree.span(node).start());
                    let header = &self.text(file)[start..lines::line_end(self.text(file), start)];
                    let is_block = matches!(tree.style(node), Style::Literal | Style::Folded);
                    return is_block && header.split([' ', '\t']).next().is_some_and(|mark| mark.contains('+'));
                }
            };
            let Some(last) = last else { return false };
            node = last;
        }
    }

    /// Returns the numbers of gaps between entries with empty lines, and of all.
    pub(crate) fn gaps(&self, number: usize) -> (usize, usize) {
        let part = &self.parts[number];
        let gaps = (1..part.members.len()).map(|at| {
            let unit = Unit { part: number, at };
            let (start, text) = (self.lead_start(unit), self.text(part.file));
            let lead = text.get(start..lines::line_start(text, self.start(unit))).unwrap_or_default();
            usize::from(lines::lines(lead).any(|line| line.trim().is_empty()))
        });
        (gaps.sum(), part.members.len().saturating_sub(1))
    }

    /// Returns the key of the collection of an entry.
    pub(crate) fn key_of(&self, unit: Unit) -> Option<NodeId> {
        self.part(unit).key
    }
}

/// Returns the offset behind a byte order mark, directives, and the mark of a document's start.
fn head_end(text: &str) -> usize {
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut head = at;
    while at < text.len() {
        let end = lines::line_end(text, at);
        let line = &text[at..end];
        let next = lines::behind_break(text, end);
        if let Some(rest) = line.strip_prefix("---") {
            return if rest.trim().is_empty() || rest.trim_start().starts_with('#') { next } else { at };
        }
        if !(line.starts_with('%') || line.starts_with('#') || line.trim().is_empty()) || next == end {
            break;
        }
        if line.starts_with('%') {
            head = next;
        }
        at = next;
    }
    head
}
