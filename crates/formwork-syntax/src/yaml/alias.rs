//! Anchors, aliases and merge keys.

use std::ops::Range;

use formwork_base::{Diagnostic, FrameKind, Span, codes};

use super::builder::{Anchored, Broken, Builder};
use crate::tree::{Entry, FrameId, FrameRecord, Kind, NodeId, Origin, Style, Tree, symbol};
use formwork_base::display::shown;

const NO_ALIASES: &str = "Template error: YAML aliases are not allowed in CloudFormation templates";

impl Builder<'_> {
    pub(super) fn remember(&mut self, anchor: usize, node: NodeId, size: usize) {
        if anchor == 0 {
            return;
        }
        let span = self.anchors.get(&anchor).map_or(Span::NONE, |open| open.span);
        self.anchors.insert(anchor, Anchored { node: Some(node), size, span });
        if !span.is_none() {
            self.tree.set_anchor(node, span);
        }
    }

    pub(super) fn anchor_span(&mut self, id: usize, range: Range<usize>) {
        let span = self.span(range.start, range.end);
        self.cursor = self.cursor.max(range.end);
        let anchored = self.anchors.entry(id).or_insert(Anchored { node: None, size: 0, span });
        anchored.span = span;
        if let Some(node) = anchored.node {
            self.tree.set_anchor(node, span);
        }
    }

    pub(super) fn alias(&mut self, id: usize, range: Range<usize>) -> Result<(), Box<Broken>> {
        let span = self.span(range.start, range.end);
        self.cursor = range.end;
        let anchored = self.anchors.get(&id).copied();
        let Some(Anchored { node: Some(target), size, .. }) = anchored else {
            self.diagnostics.push(
                Diagnostic::new(
                    codes::ALIAS_CYCLE,
                    format!("the alias {} is inside its own anchor: `{NO_ALIASES}`", &self.text[range.clone()]),
                )
                .at(span)
                .note("expanding it would never end")
                .help("write the value in full instead of the alias"),
            );
            return self.placeholder(range.start);
        };
        self.add_size(size, range.start)?;
        if !self.alias_noted {
            self.alias_noted = true;
            self.diagnostics.push(
                Diagnostic::new(codes::ALIAS, format!("YAML aliases and merge keys are expanded: `{NO_ALIASES}`"))
                    .at(span)
                    .label("the first one is here"),
            );
        }
        if self.expects_key() {
            let text = self.tree.text(target).to_owned();
            let key = self.tree.key(&text, Style::Plain, Origin::Authored(span));
            if let Some(open) = self.open.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let name = self.tree.intern(self.text[range].trim_start_matches('*'));
        let record = FrameRecord::new(FrameId::NONE, FrameKind::Alias, span, name);
        let frame = self.tree.frames_mut().push(record);
        // An anchor on a key has the key's string as its value.
        let target = if self.tree.kind(target) == Kind::Key {
            let text = self.tree.text(target).to_owned();
            self.tree.scalar(Kind::String, Style::Plain, &text, Origin::Generated(target, frame))
        } else {
            target
        };
        let node = self.tree.alias(target, frame);
        self.done(node);
        Ok(())
    }

    pub(super) fn unresolved_alias(&mut self, name: &str, range: Range<usize>) {
        let span = self.span(range.start, range.end);
        self.cursor = range.end;
        self.diagnostics.push(
            Diagnostic::new(codes::NOT_WELL_FORMED, format!("the alias `*{}` has no anchor above it", shown(name)))
                .at(span)
                .indicator('*')
                .help(format!("a string that begins with `*` needs quotes: `\"*{}\"`", shown(name))),
        );
        let _ = self.placeholder(range.start);
    }

    pub(super) fn placeholder(&mut self, at: usize) -> Result<(), Box<Broken>> {
        let span = self.span(at, at);
        if self.expects_key() {
            let key = self.tree.key("", Style::Plain, Origin::Authored(span));
            if let Some(open) = self.open.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let node = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(span));
        self.done(node);
        self.count(at)
    }

    /// Expands the entries of merge keys (`<<`); entries written beside them take precedence. Returns the merge keys as
    /// they were written.
    pub(super) fn merge(&mut self, entries: &mut Vec<Entry>) -> Vec<Entry> {
        let is_merge = |tree: &Tree, entry: &Entry| {
            tree.symbol(entry.key) == symbol::MERGE_KEY && tree.style(entry.key) == Style::Plain
        };
        let written: Vec<Entry> = entries.iter().copied().filter(|entry| is_merge(self.tree, entry)).collect();
        if written.is_empty() {
            return written;
        }
        let own: Vec<_> = entries
            .iter()
            .filter(|entry| !is_merge(self.tree, entry))
            .map(|entry| self.tree.symbol(entry.key))
            .collect();
        let mut merged: Vec<Entry> = Vec::with_capacity(entries.len());
        let mut taken = own.clone();
        for entry in std::mem::take(entries) {
            if !is_merge(self.tree, &entry) {
                merged.push(entry);
                continue;
            }
            let sources = match self.tree.kind(entry.value) {
                Kind::List => self.tree.items(entry.value).to_vec(),
                _ => vec![entry.value],
            };
            let frame = match self.tree.origin(entry.value) {
                Origin::Generated(_, frame) => frame,
                Origin::Authored(_) => FrameId::NONE,
            };
            for source in sources {
                let members: Vec<Entry> = match self.tree.kind(source) {
                    Kind::Map => self.tree.entries(source).collect(),
                    Kind::Call => vec![Entry { key: self.tree.call_name(source), value: self.tree.call(source).1 }],
                    _ => {
                        // `<<: defaults` has the name of an anchor.
                        let name = self.tree.string(source).map(shown);
                        let name = name.filter(|name| !name.is_empty() && !name.contains([' ', '`']));
                        let help = match name {
                            Some(name) => format!("write `<<: *{name}`"),
                            None => "write `<<: *name`, or `<<: [*name, *other]`".to_owned(),
                        };
                        self.diagnostics.push(
                            Diagnostic::new(
                                codes::WRONG_KIND,
                                "a merge key `<<` takes a mapping or a list of mappings",
                            )
                            .at(self.tree.span(entry.key))
                            .help(help),
                        );
                        continue;
                    }
                };
                let frame = match self.tree.origin(source) {
                    Origin::Generated(_, frame) => frame,
                    Origin::Authored(_) => frame,
                };
                for member in members {
                    let name = self.tree.symbol(member.key);
                    if taken.contains(&name) {
                        continue;
                    }
                    taken.push(name);
                    let key = self.tree.alias(member.key, frame);
                    let value = self.tree.alias(member.value, frame);
                    merged.push(Entry { key, value });
                }
            }
        }
        *entries = merged;
        written
    }
}
