//! Conversion of YAML tokens to nodes of a tree.

use formwork_base::Span;

use super::builder::{Anchored, Broken, Builder, Open, Token};
use super::tag_mark::{TagMark, TagMeaning};
use crate::document::check_duplicate;
use crate::function::{Function, Known};
use crate::json::read::call_name;
use crate::scalar;
use crate::tree::{Entry, Kind, NodeId, Origin, Style};

impl Builder<'_> {
    pub(super) fn scalar(&mut self, token: &Token<'_>) -> Result<(), Box<Broken>> {
        let &Token { value, style, anchor, tag, mut start, end, .. } = token;
        self.last = start;
        match style {
            Style::Plain => self.check_plain(value, start, end),
            Style::Single | Style::Double => self.marks.pass_quoted(start..end),
            _ => {}
        }
        if self.expects_key() {
            self.check_key(token);
            let key_start = tag.map_or(start, |tag| tag.start);
            let origin = Origin::Authored(self.span(key_start, end));
            let key = self.tree.key(value, style, origin);
            self.cursor = end;
            self.count(end)?;
            self.remember(anchor, key, 1);
            if let Some(open) = self.open.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let kind = match tag.map(|tag| tag.meaning) {
            Some(TagMeaning::Call(_) | TagMeaning::Text) => Kind::String,
            _ if style == Style::Plain => scalar::plain_kind(value),
            _ => Kind::String,
        };
        if let Some(TagMark {
            start: tag_start,
            meaning: TagMeaning::Text | TagMeaning::Nothing | TagMeaning::Unknown,
            ..
        }) = tag
        {
            start = tag_start;
        }
        let written = if kind == Kind::Null { "" } else { value };
        let mut node = self.tree.scalar(kind, style, written, Origin::Authored(self.span(start, end)));
        if let Some(TagMark { start: tag_start, end: tag_end, meaning: TagMeaning::Call(known) }) = tag {
            node = self.tagged(known, node, tag_start, tag_end, end);
        }
        self.cursor = end;
        self.count(end)?;
        self.remember(anchor, node, 1);
        self.done(node);
        Ok(())
    }

    pub(super) fn tagged(
        &mut self,
        known: Known,
        argument: NodeId,
        tag_start: usize,
        tag_end: usize,
        end: usize,
    ) -> NodeId {
        let origin = Origin::Authored(self.span(tag_start, tag_end));
        let name = self.tree.key(known.long(), Style::Tag, origin);
        let origin = Origin::Authored(self.span(tag_start, end.max(tag_end)));
        self.tree.add_call(Function::Known(known), name, argument, Style::Tag, origin)
    }

    /// Begins a list or mapping. `cursor` is the end of the part that was read.
    pub(super) fn open(
        &mut self,
        is_map: bool,
        style: Style,
        anchor: usize,
        tag: Option<TagMark>,
        start: usize,
        cursor: usize,
    ) -> Result<(), Box<Broken>> {
        self.cursor = cursor;
        let first = if is_map { self.open.entries.len() } else { self.open.items.len() };
        self.open.stack.push(Open { start, style, tag, anchor, is_map, first, key: None, size_before: self.size });
        if anchor != 0 {
            self.anchors.insert(anchor, Anchored { node: None, size: 0, span: Span::NONE });
        }
        self.count(start)
    }

    /// Ends the innermost list or mapping; `end` is the end of one in brackets or braces.
    pub(super) fn close(&mut self, end: Option<usize>) {
        let Some(open) = self.open.stack.pop() else { return };
        if let Some(key) = open.key {
            // The text broke off after a key.
            let at = self.span(self.cursor, self.cursor);
            let value = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(at));
            self.open.entries.push(Entry { key, value });
        }
        let end = match end {
            Some(end) if open.style == Style::Flow => {
                self.last_in_brackets = Some(open.start);
                end.max(self.cursor)
            }
            _ => self.cursor,
        };
        self.cursor = end;
        let mut origin = Origin::Authored(self.span(open.start.min(end), end));
        // The entries of a block collection are below the tag: it is not a part of them.
        if let Some(TagMark { start, meaning, .. }) = open.tag
            && (matches!(meaning, TagMeaning::Unknown)
                || open.style == Style::Flow && matches!(meaning, TagMeaning::Text | TagMeaning::Nothing))
        {
            origin = Origin::Authored(self.span(start, end));
        }
        let mut node = if open.is_map {
            let mut entries = std::mem::take(&mut self.members);
            entries.clear();
            entries.extend(self.open.entries.drain(open.first..));
            let merges = self.merge(&mut entries);
            let lost = check_duplicate(self.tree, &mut entries, self.diagnostics);
            let node = match entries.as_slice() {
                &[Entry { key, value }] if call_name(self.tree.text(key)) => {
                    let function = match Known::from_long(self.tree.text(key)) {
                        Some(known) => Function::Known(known),
                        None => Function::Other(self.tree.symbol(key)),
                    };
                    self.tree.add_call(function, key, value, open.style, origin)
                }
                entries => self.tree.map(entries, open.style, origin),
            };
            self.tree.set_merges(node, merges);
            self.tree.set_lost(node, lost);
            self.members = entries;
            node
        } else {
            let node = self.tree.list(&self.open.items[open.first..], open.style, origin);
            self.open.items.truncate(open.first);
            node
        };
        if let Some(TagMark { start, end: tag_end, meaning: TagMeaning::Call(known) }) = open.tag {
            node = self.tagged(known, node, start, tag_end, end);
        }
        let size = self.size - open.size_before;
        self.remember(open.anchor, node, size);
        self.done(node);
    }
}
