//! The text of a union whose first file is JSON.

use formwork_syntax::{Entry, Format, Kind, NodeId};

use super::Scribe;
use crate::lines;

impl Scribe<'_> {
    pub(super) fn json(&self) -> String {
        let text = self.first_text();
        let root = self.sources.slice(self.tree.span(self.first_root()));
        let indent = lines::lines(root).skip(1).map(|line| &line[..line.len() - line.trim_start().len()]);
        let step = indent.filter(|indent| !indent.is_empty()).min_by_key(|indent| indent.len());
        let page = Page { scribe: self, step: step.unwrap_or("  "), is_in_lines: root.contains('\n') };
        let mut out = String::new();
        page.object(self.merged.root, 0, &mut out);
        if text.ends_with('\n') {
            out.push('\n');
        }
        out
    }
}

struct Page<'p> {
    scribe: &'p Scribe<'p>,
    step: &'p str,
    /// Set when each entry is on a line of its own.
    is_in_lines: bool,
}

impl Page<'_> {
    fn begin_line(&self, depth: usize, out: &mut String) {
        if self.is_in_lines {
            out.push('\n');
            out.extend(std::iter::repeat_n(self.step, depth));
        }
    }

    fn separate(&self, at: usize, depth: usize, out: &mut String) {
        if at > 0 {
            out.push_str(if self.is_in_lines { "," } else { ", " });
        }
        self.begin_line(depth, out);
    }

    fn object(&self, node: NodeId, depth: usize, out: &mut String) {
        out.push('{');
        for (at, entry) in self.scribe.tree.entries(node).enumerate() {
            self.separate(at, depth + 1, out);
            self.entry(entry, depth + 1, out);
        }
        if !self.scribe.tree.is_empty(node) {
            self.begin_line(depth, out);
        }
        out.push('}');
    }

    fn entry(&self, entry: Entry, depth: usize, out: &mut String) {
        let scribe = self.scribe;
        let copied = scribe.units.unit(entry.key).filter(|unit| {
            let file = scribe.units.part(*unit).file;
            scribe.file_of(entry.value) == Some(file) && !scribe.is_yaml(file) && !scribe.is_made(entry.value)
        });
        if let Some(unit) = copied {
            let file = scribe.units.part(unit).file;
            let (start, end) = (scribe.units.start(unit), scribe.units.value(unit).1);
            let text = scribe.units.text(file);
            let part = text.get(start..end).unwrap_or_default();
            let part = scribe.edits.applied(scribe.sources, file, part, start);
            let line = &text[lines::line_start(text, start)..start];
            let own = &line[..line.len() - line.trim_start().len()];
            return self.push_moved(&part, own, depth, out);
        }
        out.push_str(scribe.formatted(entry.key, Format::Json).trim_end());
        out.push_str(": ");
        self.value(entry.value, depth, out);
    }

    fn value(&self, node: NodeId, depth: usize, out: &mut String) {
        let scribe = self.scribe;
        match scribe.tree.kind(node) {
            Kind::Map if scribe.is_made(node) => self.object(node, depth, out),
            Kind::List if scribe.is_made(node) => {
                out.push('[');
                for (at, &item) in scribe.tree.items(node).iter().enumerate() {
                    self.separate(at, depth + 1, out);
                    self.value(item, depth + 1, out);
                }
                self.begin_line(depth, out);
                out.push(']');
            }
            _ => self.push_moved(scribe.formatted(node, Format::Json).trim_end(), "", depth, out),
        }
    }

    /// Appends a text whose other lines are moved with the first one, which had the indentation `own`.
    fn push_moved(&self, text: &str, own: &str, depth: usize, out: &mut String) {
        for (at, line) in lines::lines(text).enumerate() {
            if at > 0 {
                out.push('\n');
                out.extend(std::iter::repeat_n(self.step, depth));
            }
            let moved = if at > 0 { line.strip_prefix(own).unwrap_or_else(|| line.trim_start()) } else { line };
            out.push_str(moved);
        }
    }
}
