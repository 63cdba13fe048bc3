//! The general reader: the events of `granit-parser`, with their spans corrected, are passed to the builder.

use std::ops::Range;

use formwork_base::{Diagnostic, codes};
use granit_parser::{Event, Parser, ScalarStyle, StrInput, StructureStyle};

use super::adapter::Gap;
use super::builder::{Broken, Builder, Token};
use super::marks::{self, MARK};
use super::resume::{End, Start};
use super::slips;
use super::tag_mark::TagMark;
use crate::document::depth_error;
use crate::tree::{Kind, NodeId, Origin, Style};

impl Builder<'_> {
    /// Reads the events of a parser for `feed`, which begins at `start` of the text.
    pub(super) fn run(&mut self, feed: &str, mut start: Start, can_resume: bool) -> End {
        let options = granit_parser::options! {
            emit_comments: false,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            // Checked here with a message of our own, one level earlier.
            flow_nesting_limit: self.limits.depth + 1,
            block_nesting_limit: self.limits.depth + 1,
        };
        let (first, line) = (start.at, start.line);
        let mut parser: Parser<'_, StrInput<'_>> = Parser::new_from_str_with_options(&feed[first..], options);
        let mut documents = 0;
        loop {
            if self.diagnostics.is_cancelled() {
                return End::Whole;
            }
            let (event, span) = match parser.next_event() {
                None => return End::Whole,
                Some(Ok(next)) => next,
                Some(Err(error)) => {
                    let broken = self.scan_error(&error, first);
                    return if broken.offset < line { End::Lost } else { End::Broken(Box::new(broken)) };
                }
            };
            match start.passes(&event, &span) {
                None => return End::Lost,
                Some(true) => {
                    documents += usize::from(matches!(event, Event::DocumentStart(..)));
                    continue;
                }
                Some(false) => {}
            }
            let shifted = |range: Range<usize>| first + range.start..first + range.end;
            let range = span.byte_range().map_or(self.cursor..self.cursor, shifted);
            let tag_range = span.tag_span().and_then(|tag| tag.byte_range()).map(shifted);
            let result = match event {
                Event::StreamEnd => return End::Whole,
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 { Err(self.second_document(range.start)) } else { Ok(()) }
                }
                Event::Scalar(value, style, anchor, tag) => {
                    if can_resume && anchor == 0 && tag.is_none() {
                        self.note_checkpoint(range.start);
                    }
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.scalar_event(&value, style, anchor, tag, range)
                }
                Event::SequenceStart(style, anchor, tag) => {
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.open_event(false, style, anchor, tag, range)
                }
                Event::MappingStart(style, anchor, tag) => {
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.open_event(true, style, anchor, tag, range)
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    self.close(Some(range.end));
                    self.leave_checkpoints(self.open.stack.len());
                    Ok(())
                }
                Event::Alias(id) => self.alias(id, range),
                Event::UnresolvedAlias(name) => {
                    self.unresolved_alias(&name, range);
                    Ok(())
                }
                Event::Anchor(id, _) => {
                    self.anchor_span(id, range);
                    Ok(())
                }
                _ => Ok(()),
            };
            if let Err(broken) = result {
                return End::Broken(broken);
            }
        }
    }

    pub(super) fn end(&mut self) -> NodeId {
        while !self.open.stack.is_empty() {
            self.close(None);
        }
        for at in self.marks.outside() {
            self.diagnostics.push(marks::error(self.span(at, at + MARK.len_utf8())));
        }
        self.root.unwrap_or_else(|| {
            let span = self.span(0, 0);
            self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(span))
        })
    }

    fn scalar_event(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<TagMark>,
        range: Range<usize>,
    ) -> Result<(), Box<Broken>> {
        let (mut start, mut end) = (range.start, range.end);
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::Single,
            ScalarStyle::DoubleQuoted => Style::Double,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        let is_empty = style == Style::Plain && start == end;
        let known = self.quoted.all.binary_search_by_key(&start, |one| one.range.start);
        let own = known.ok().map(|at| &self.quoted.all[at]).filter(|one| one.range.end == end);
        self.quoted.seen += usize::from(own.is_some());
        let mut value = match own {
            Some(quoted) => quoted.value.as_str(),
            None if is_empty => "",
            None => value,
        };
        if matches!(style, Style::Literal | Style::Folded) {
            start = self.gap.block_scalar_start(self.cursor.max(tag.map_or(0, |tag| tag.end)));
            (value, end) = self.gap.block_scalar(start, end, value);
        } else if is_empty && tag.is_none() && !self.expects_key() {
            // Without a colon, granit puts it at the next key.
            let in_map = self.open.stack.last().is_some_and(|open| open.is_map && open.style == Style::Plain);
            let is_at_key = in_map && !self.text[start..].starts_with(':') && self.mark_before(start, b':').is_none();
            start = if is_at_key { self.cursor } else { self.gap.empty_value(start) };
            end = start;
        } else if is_empty && tag.is_none() {
            // granit puts an empty key at the next token, which may be another key.
            if let Some(mark) = self.mark_before(start, b'?') {
                start = mark + 1;
                end = start;
            }
        }
        self.scalar(&Token {
            value,
            style,
            anchor,
            tag,
            is_empty,
            has_lines: own.is_some() && style != Style::Plain,
            start,
            end,
        })
    }

    fn mark_before(&self, end: usize, mark: u8) -> Option<usize> {
        let gap = Gap { text: &self.text[..end] };
        let at = gap.skip(self.cursor, |byte| byte == mark);
        (gap.text.as_bytes().get(at) == Some(&mark)).then_some(at)
    }

    fn open_event(
        &mut self,
        is_map: bool,
        style: StructureStyle,
        anchor: usize,
        tag: Option<TagMark>,
        range: Range<usize>,
    ) -> Result<(), Box<Broken>> {
        if self.is_full() {
            let diagnostic = depth_error(self.limits.depth, self.span(range.start, range.start));
            return Err(Box::new(Broken { offset: range.start, diagnostic, cause: None, forgiven: None }));
        }
        let style = if style == StructureStyle::Flow { Style::Flow } else { Style::Plain };
        let mut start = range.start;
        let in_block_map = self.open.stack.last().is_some_and(|open| open.is_map && open.style == Style::Plain);
        if !is_map && style == Style::Plain && in_block_map {
            start = self.gap.first_dash(self.cursor.max(tag.map_or(0, |tag| tag.end)));
        }
        if self.expects_key() {
            let (what, help) = slips::double_brace(self.text, start)
                .unwrap_or_else(|| ("a key is a list or a mapping", "write the key as a string".to_owned()));
            let message = format!("{what}: `Template format error: unsupported structure.`");
            let diagnostic = Diagnostic::new(codes::WRONG_KIND, message).at(self.span(start, start)).help(help);
            self.diagnostics.push(diagnostic);
        }
        let cursor = if style == Style::Flow { range.end } else { start };
        self.open(is_map, style, anchor, tag, start, cursor)
    }
}
