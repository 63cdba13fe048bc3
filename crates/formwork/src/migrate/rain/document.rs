//! A template's text with its tree, and edits that leave everything else byte for byte.

use std::collections::HashSet;
use std::ops::Range;

use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath, codes};
use formwork_syntax::{Format, Kind, NodeId, Style, Tree};

pub(super) struct Rain<'t> {
    pub(super) text: &'t str,
    pub(super) tree: Tree,
    pub(super) root: NodeId,
    pub(super) is_json: bool,
    base: u32,
    lines: Vec<usize>,
}

impl<'t> Rain<'t> {
    /// Parses a text.
    ///
    /// # Errors
    /// The first error, unless it only concerns a tag of rain.
    pub(super) fn read(text: &'t str) -> Result<Rain<'t>, String> {
        let (mut tree, mut sources, mut found) = (Tree::new(), SourceMap::new(), Diagnostics::new());
        let name = if text.trim_start().starts_with('{') && !text.contains("!Rain::") {
            "template.json"
        } else {
            "template.yaml"
        };
        let file = sources.add(VirtualPath::new(name), text).ok_or("it is too large")?;
        let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut found);
        let errors = found.into_sorted(&sources).into_iter();
        let mut wrong = errors.filter(|error| error.severity == formwork_base::Severity::Error);
        if let Some(error) = wrong.find(|error| error.code != codes::UNKNOWN_TAG) {
            let place = error.primary.as_ref().and_then(|label| sources.place(label.span));
            let place = place.map_or_else(String::new, |place| format!("line {}: ", place.line));
            return Err(format!("{place}{}", error.message));
        }
        let (root, is_json) = (document.root, document.format == Format::Json);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Ok(Rain { text, tree, root, is_json, base: sources.base(file), lines })
    }

    /// The range of a node in the file, including its tag.
    pub(super) fn range(&self, node: NodeId) -> Range<usize> {
        let span = self.tree.span(node);
        if span.is_none() {
            return 0..0;
        }
        (span.start() - self.base) as usize..(span.end() - self.base) as usize
    }

    pub(super) fn written(&self, node: NodeId) -> &'t str {
        self.text.get(self.range(node)).unwrap_or_default()
    }

    /// The name and argument of a directive: `S3` for `!Rain::S3 x` and `Rain::S3: x`.
    pub(super) fn directive(&self, node: NodeId) -> Option<(&str, Argument)> {
        if let Some(rest) = self.written(node).strip_prefix("!Rain::") {
            let name = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())];
            return Some((name, Argument::Tagged));
        }
        if self.tree.kind(node) != Kind::Map || self.tree.len(node) != 1 {
            return None;
        }
        let entry = self.tree.entry(node, 0);
        let name = self.tree.text(entry.key);
        let name = name.strip_prefix("Fn::").unwrap_or(name).strip_prefix("Rain::")?;
        Some((name, Argument::Long(entry.key, entry.value)))
    }

    pub(super) fn section(&self, name: &str) -> Option<(NodeId, NodeId)> {
        let entry = self.tree.entries(self.root).find(|entry| self.tree.text(entry.key) == name)?;
        (self.tree.kind(entry.value) == Kind::Map).then_some((entry.key, entry.value))
    }

    pub(super) fn names(&self, section: &str) -> HashSet<&str> {
        let entries = self.section(section).map(|(_, node)| self.tree.entries(node));
        entries.into_iter().flatten().map(|entry| self.tree.text(entry.key)).collect()
    }

    pub(super) fn is_flow(&self, node: NodeId) -> bool {
        self.tree.style(node) == Style::Flow
    }

    pub(super) fn line_start(&self, at: usize) -> usize {
        self.lines[self.line(at) - 1]
    }

    pub(super) fn next_line(&self, at: usize) -> usize {
        self.lines.get(self.line(at)).copied().unwrap_or(self.text.len())
    }

    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|&start| start <= at)
    }

    /// Calls `visit` with every node of the tree, parents first.
    pub(super) fn walk(&self, visit: &mut dyn FnMut(Visit)) {
        let mut pending = vec![Visit { node: self.root, in_flow: self.is_json, property: None }];
        while let Some(next) = pending.pop() {
            visit(next);
            if self.tree.is_alias(next.node) {
                continue;
            }
            let in_flow = next.in_flow || self.is_flow(next.node);
            let below = |node, property| Visit { node, in_flow, property };
            let first = pending.len();
            pending.extend(self.tree.items(next.node).iter().map(|&node| below(node, None)));
            pending.extend(self.tree.entries(next.node).map(|entry| below(entry.value, Some(entry.key))));
            if self.tree.kind(next.node) == Kind::Call {
                pending.push(below(self.tree.call(next.node).1, None));
            }
            pending[first..].reverse();
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) node: NodeId,
    pub(super) in_flow: bool,
    pub(super) property: Option<NodeId>,
}

#[derive(Clone, Copy)]
pub(super) enum Argument {
    /// `!Rain::S3 x`: the node with the tag is the argument.
    Tagged,
    /// `Rain::S3: x`: the key and the value of the long form.
    Long(NodeId, NodeId),
}

#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a range. Ranges of several edits must not overlap.
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        // Without the capacity of the whole text: often all but a few lines of it are left out.
        let (mut out, mut at) = (String::new(), 0);
        for (range, new) in self.0 {
            if range.start < at {
                continue;
            }
            out.push_str(&text[at..range.start]);
            out.push_str(&new);
            at = range.end;
        }
        out.push_str(&text[at..]);
        out
    }
}
