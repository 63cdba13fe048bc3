//! Reading YAML 1.1 as the service does, with a span for every node, key and tag.
//!
//! `granit-parser` gives events; the tree is built here: short tags become calls, anchors and merge
//! keys are expanded under a budget, duplicate keys are reported.

use std::borrow::Cow;
use std::ops::Range;

use formwork_base::{Diagnostic, Diagnostics, FrameKind, Limits, LineIndex, Span, codes, suggest};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, StructureStyle, Tag};
use rustc_hash::FxHashMap;

use super::adapter::Gap;
use super::fault;
use super::quoted::{self, Quoted};
use crate::document::{check_duplicate, depth_error, node_error, shown};
use crate::function::{Function, Known};
use crate::json::read::call_name;
use crate::scalar;
use crate::tree::{Entry, FrameId, FrameRecord, Kind, NodeId, Origin, Style, Tree, symbol};

const NO_ALIASES: &str = "Template error: YAML aliases are not allowed in CloudFormation templates";

/// Most errors of well-formedness that are looked for in one file.
const MOST_ERRORS: usize = 10;

/// Most bytes that are read once more because of something that granit refuses and others read.
const MOST_AGAIN: usize = 16 << 20;

/// Reads `text`, whose first byte has the position `base`, into `tree`. There is always a root.
///
/// Where the text is not well-formed, the line at fault is left out and the rest read again, so
/// that further errors are found and most of the template is still seen.
pub(crate) fn read(tree: &mut Tree, source: &str, base: u32, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    let mut text = Cow::Borrowed(source);
    let mut quoted: Vec<Quoted> = Vec::new();
    // What granit says of the texts in quotes that are read here, should they be something else.
    let mut held: Vec<Diagnostic> = Vec::new();
    let mut last_line = 0;
    let mut errors = 0;
    let mut again = 0;
    while errors < MOST_ERRORS {
        let mut found = Diagnostics::new();
        let mut builder = Builder::new(tree, source, &text, &quoted, base, limits, &mut found);
        let (root, error) = builder.run();
        let seen = builder.seen;
        let Some(Broken { offset, diagnostic, go_on, forgiven }) = error else {
            diagnostics.append(found);
            if seen < quoted.len() {
                for diagnostic in held {
                    diagnostics.push(diagnostic);
                }
            }
            return root;
        };
        again += offset;
        match forgiven.filter(|_| again <= MOST_AGAIN) {
            Some(Forgiven::Comment) => {
                let end = Gap { text: source }.line_end(offset);
                text.to_mut().replace_range(offset..end, &" ".repeat(end - offset));
                continue;
            }
            Some(Forgiven::Quoted(one)) => {
                let inside = one.range.start + 1..one.range.end - 1;
                text.to_mut().replace_range(inside.clone(), &"x".repeat(inside.len()));
                quoted.push(one);
                held.push(diagnostic);
                continue;
            }
            None => errors += 1,
        }
        let lines = LineIndex::new(source);
        let line = lines.line(offset as u32);
        // An error further up would be one of our own making.
        if last_line == 0 || line + 1 > last_line {
            diagnostics.push(diagnostic);
        }
        last_line = last_line.max(line + 1);
        let (start, end) = (lines.line_start(line) as usize, Gap { text: &text }.line_end(offset));
        if !go_on || text[start..end].trim().is_empty() {
            diagnostics.append(found);
            return root;
        }
        let blank = " ".repeat(end - start);
        text.to_mut().replace_range(start..end, &blank);
    }
    Builder::new(tree, "", "", &[], base, limits, &mut Diagnostics::new()).run().0
}

/// The byte order mark, which is a character inside of quotes alone.
const MARK: char = '\u{feff}';

/// The error about a byte order mark that is no character of a text in quotes.
fn mark_error(span: Span) -> Diagnostic {
    Diagnostic::new(codes::BAD_ENCODING, "a byte order mark is in the middle of the text, outside of quotes")
        .at(span)
        .note("readers disagree about it: to some it is a character that nobody sees")
        .help("remove it")
}

/// Where and why the text is not well-formed.
struct Broken {
    offset: usize,
    diagnostic: Diagnostic,
    /// Whether it is worth while to read on without the line.
    go_on: bool,
    /// What the readers of YAML 1.1 make of it, when to them it is no error.
    forgiven: Option<Forgiven>,
}

/// What SnakeYAML, PyYAML and libyaml read and `granit-parser` does not.
enum Forgiven {
    /// A comment right behind a quote, bracket or comma.
    Comment,
    /// Text in quotes that goes on in a line that is indented too little.
    Quoted(Quoted),
}

/// A tag that stands on a node: `!Sub`.
#[derive(Clone, Copy)]
struct TagMark {
    start: usize,
    end: usize,
    meaning: TagMeaning,
}

#[derive(Clone, Copy)]
enum TagMeaning {
    Call(Known),
    /// `!!str` and `!`: text whatever it looks like.
    Text,
    /// Tags that change nothing: `!!map`, and unknown ones that were reported.
    Nothing,
}

/// An open list or map.
struct Open {
    start: usize,
    style: Style,
    tag: Option<TagMark>,
    anchor: usize,
    is_map: bool,
    /// Where its items or members begin in the builder's scratch lists.
    first: usize,
    key: Option<NodeId>,
    /// Logical size of all that was read before it.
    size_before: usize,
}

struct Builder<'r> {
    tree: &'r mut Tree,
    /// The author's text.
    source: &'r str,
    /// The same with what granit must not see replaced by something of the same length.
    text: &'r str,
    /// Texts in quotes that were read from the source.
    quoted: &'r [Quoted],
    /// How many of them were met.
    seen: usize,
    gap: Gap<'r>,
    base: u32,
    limits: &'r Limits,
    diagnostics: &'r mut Diagnostics,
    stack: Vec<Open>,
    items: Vec<NodeId>,
    entries: Vec<Entry>,
    anchors: FxHashMap<usize, Anchored>,
    /// End of the last token.
    cursor: usize,
    /// Nodes read so far, each use of an alias counted in full.
    size: usize,
    root: Option<NodeId>,
    alias_noted: bool,
    /// Where byte order marks are that no text in quotes holds, as far as it was read.
    marks: Vec<usize>,
}

/// What an anchor stands for; no node while it is still open.
#[derive(Clone, Copy)]
struct Anchored {
    node: Option<NodeId>,
    size: usize,
    /// Where `&name` stands.
    span: Span,
}

impl<'r> Builder<'r> {
    fn new(
        tree: &'r mut Tree,
        source: &'r str,
        text: &'r str,
        quoted: &'r [Quoted],
        base: u32,
        limits: &'r Limits,
        diagnostics: &'r mut Diagnostics,
    ) -> Builder<'r> {
        Builder {
            tree,
            source,
            text,
            quoted,
            seen: 0,
            gap: Gap { text },
            base,
            limits,
            diagnostics,
            stack: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: FxHashMap::default(),
            cursor: 0,
            size: 0,
            root: None,
            alias_noted: false,
            marks: memchr::memmem::find_iter(source.as_bytes(), MARK.encode_utf8(&mut [0; 3]).as_bytes()).collect(),
        }
    }

    fn run(&mut self) -> (NodeId, Option<Broken>) {
        let options = granit_parser::options! {
            emit_comments: false,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            // Checked here with a message of our own, one level earlier.
            flow_nesting_limit: self.limits.depth + 1,
            block_nesting_limit: self.limits.depth + 1,
        };
        let text = self.text;
        let mut parser: Parser<'_, StrInput<'_>> = Parser::new_from_str_with_options(text, options);
        let mut documents = 0;
        let broken = loop {
            let (event, span) = match parser.next_event() {
                None => break None,
                Some(Ok(next)) => next,
                Some(Err(error)) => break Some(self.scan_error(&error)),
            };
            let range = span.byte_range().unwrap_or(self.cursor..self.cursor);
            let tag_range = span.tag_span().and_then(|tag| tag.byte_range());
            let result = match event {
                Event::StreamEnd => break None,
                Event::DocumentStart(..) => {
                    documents += 1;
                    if documents > 1 { Err(self.second_document(range.start)) } else { Ok(()) }
                }
                Event::Scalar(value, style, anchor, tag) => {
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.scalar(&value, style, anchor, tag, range)
                }
                Event::SequenceStart(style, anchor, tag) => {
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.open(false, style, anchor, tag, range)
                }
                Event::MappingStart(style, anchor, tag) => {
                    let tag = self.tag(tag.as_deref(), tag_range);
                    self.open(true, style, anchor, tag, range)
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    self.close(Some(range));
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
                break Some(*broken);
            }
        };
        while !self.stack.is_empty() {
            self.close(None);
        }
        for &at in &self.marks {
            self.diagnostics.push(mark_error(self.span(at, at + MARK.len_utf8())));
        }
        let root = self.root.unwrap_or_else(|| {
            let span = self.span(0, 0);
            self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(span))
        });
        (root, broken)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    fn tag(&mut self, tag: Option<&Tag>, range: Option<Range<usize>>) -> Option<TagMark> {
        let tag = tag?;
        let range = range.unwrap_or(self.cursor..self.cursor);
        let span = self.span(range.start, range.end);
        let meaning = match (tag.handle(), tag.suffix()) {
            ("!", "") | ("", "!") => TagMeaning::Text,
            ("!", name) => {
                if let Some(known) = Known::from_short(name) {
                    if known.is_language_extension() {
                        self.diagnostics.push(
                            Diagnostic::new(
                                codes::UNKNOWN_TAG,
                                format!("`!{name}` is no short form that CloudFormation documents"),
                            )
                            .severity(formwork_base::Severity::Warning)
                            .at(span)
                            .help(format!("write `{}:` in full", known.long())),
                        );
                    }
                    TagMeaning::Call(known)
                } else if let Some(known) = name.strip_suffix(':').and_then(Known::from_short) {
                    // As the looping RFC writes it (reference/reading.md#tags).
                    self.diagnostics.push(
                        Diagnostic::new(codes::UNKNOWN_TAG, format!("the tag `!{name}` ends with a colon"))
                            .severity(formwork_base::Severity::Warning)
                            .at(span)
                            .note("YAML takes the colon for a part of the tag; it is left out")
                            .help(format!("write `!{}`", known.short())),
                    );
                    TagMeaning::Call(known)
                } else {
                    self.unknown_tag(name, span);
                    TagMeaning::Nothing
                }
            }
            _ => match tag.suffix_in_namespace("tag:yaml.org,2002:").as_deref() {
                Some("str") => TagMeaning::Text,
                Some("int" | "float" | "bool" | "null" | "map" | "seq") => TagMeaning::Nothing,
                _ => {
                    self.unknown_tag(
                        self.text.get(range.clone()).map_or("", |text| text.trim_start_matches('!')),
                        span,
                    );
                    TagMeaning::Nothing
                }
            },
        };
        Some(TagMark { start: range.start, end: range.end, meaning })
    }

    fn unknown_tag(&mut self, name: &str, span: Span) {
        let near =
            suggest::nearest(name, Known::ALL.iter().map(|known| known.short()).filter(|short| !short.is_empty()));
        let mut diagnostic =
            Diagnostic::new(codes::UNKNOWN_TAG, format!("`!{}` is no function of CloudFormation", shown(name)))
                .at(span);
        if name.starts_with("ForEach") {
            diagnostic = diagnostic
                .note("a loop is a key, it has no short form")
                .help("write the loop as a key: `Fn::ForEach::Name: [Identifier, Collection, {OutputKey: ...}]`");
        } else if let Some(near) = near {
            diagnostic =
                diagnostic.help(format!("did you mean `!{near}`?")).fix("change the tag", span, format!("!{near}"));
        } else {
            let tag = &self.source[(span.start() - self.base) as usize..(span.end() - self.base) as usize];
            let behind = self.behind_tag(span);
            let is_more = behind.starts_with(['[', '{', '"', '\'', '|', '>', '&', '*', '!'])
                || behind.contains('"')
                || self.goes_on_below(span);
            diagnostic = diagnostic
                .note("the service refuses tags that it does not know, and `!!binary`, `!!omap`, `!!pairs`, `!!set` and `!!timestamp`")
                .help(match behind {
                    _ if is_more => "remove the tag, or write one that is supported".to_owned(),
                    "" => format!("for a text that begins with `!` write quotes: `\"{}\"`", shown(tag)),
_ => "for a text that begins with `!` put the whole text in quotes".to_owned(),
                });
        }
        self.diagnostics.push(diagnostic);
    }

    /// What stands behind a tag in its line, without a comment.
    fn behind_tag(&self, tag: Span) -> &str {
        let behind = &self.source[(tag.end() - self.base) as usize..];
        let line = behind.lines().next().unwrap_or_default();
        let in_flow = self.stack.last().is_some_and(|open| open.style == Style::Flow);
        let end = if in_flow { line.find([',', ']', '}']) } else { None };
        let line = &line[..end.unwrap_or(line.len())];
        line.split(" #").next().unwrap_or_default().trim()
    }

    /// Whether the value of a tag that ends its line is in the lines below.
    fn goes_on_below(&self, tag: Span) -> bool {
        let (before, behind) = self.source.split_at((tag.end() - self.base) as usize);
        let mut lines = behind.lines();
        let has_text = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
        if lines.next().is_some_and(has_text) {
            return false;
        }
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        let own = before.lines().next_back().map_or(0, indent);
        lines.find(|line| has_text(line)).is_some_and(|line| indent(line) > own)
    }

    fn scalar(
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
        let empty = style == Style::Plain && start == end;
        let own = self.quoted.iter().find(|one| one.range.start == start && one.range.end == end);
        self.seen += usize::from(own.is_some());
        let mut value = match own {
            Some(quoted) => quoted.value.as_str(),
            None if empty => "",
            None => value,
        };
        match style {
            Style::Plain => self.check_plain(value, start, end),
            Style::Single | Style::Double => self.marks.retain(|mark| !(start..end).contains(mark)),
            _ => {}
        }
        if matches!(style, Style::Literal | Style::Folded) {
            let header = self.gap.block_scalar_start(self.cursor.max(tag.map_or(0, |tag| tag.end)));
            start = header;
            let header_end = self.gap.line_end(header);
            end = self.gap.block_scalar_end(header_end, end.max(header));
            if self.text[header..header_end].split([' ', '\t']).next().is_some_and(|mark| mark.contains('+')) {
                end = self.gap.kept_breaks_end(end);
            }
            if end == self.text.len() && !value.is_empty() && !self.text.ends_with(['\n', '\r']) {
                value = value.strip_suffix('\n').unwrap_or(value);
            }
        } else if empty && tag.is_none() && !self.expects_key() {
            start = self.gap.empty_value(start);
            end = start;
        }
        let token_start = start;
        if self.expects_key() {
            self.check_key(empty, tag, anchor != 0, own.is_some(), start..end);
            let key_start = tag.map_or(start, |tag| tag.start);
            let origin = Origin::Authored(self.span(key_start, end));
            let key = self.tree.key(value, style, origin);
            self.cursor = end;
            self.count(end)?;
            self.remember(anchor, key, 1);
            if let Some(open) = self.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let kind = match tag.map(|tag| tag.meaning) {
            Some(TagMeaning::Call(_) | TagMeaning::Text) => Kind::String,
            _ if style == Style::Plain => scalar::plain_kind(value),
            _ => Kind::String,
        };
        if let Some(TagMark { start: tag_start, meaning: TagMeaning::Text | TagMeaning::Nothing, .. }) = tag {
            start = tag_start;
        }
        let written = if kind == Kind::Null { "" } else { value };
        let mut node = self.tree.scalar(kind, style, written, Origin::Authored(self.span(start, end)));
        if let Some(TagMark { start: tag_start, end: tag_end, meaning: TagMeaning::Call(known) }) = tag {
            node = self.tagged(known, node, tag_start, tag_end, end);
        }
        self.cursor = end.max(token_start);
        self.count(end)?;
        self.remember(anchor, node, 1);
        self.done(node);
        Ok(())
    }

    /// Reports a plain scalar that readers take for different things.
    fn check_plain(&mut self, value: &str, start: usize, end: usize) {
        let in_flow = self.stack.last().is_some_and(|open| open.style == Style::Flow);
        if in_flow && value.contains('?') {
            self.diagnostics.push(
                Diagnostic::new(codes::NOT_WELL_FORMED, "`?` inside brackets or braces needs quotes")
                    .at(self.span(start, end))
                    .note("there YAML 1.1 reads `?` as the mark of a key")
                    .help(if value.contains(['"', '\\']) {
                        "put the text in quotes".to_owned()
                    } else {
                        format!("write `\"{}\"`", shown(value))
                    }),
            );
        }
    }

    /// Reports a key that has none, a tag, or several lines without the mark `?`.
    fn check_key(
        &mut self,
        is_empty: bool,
        tag: Option<TagMark>,
        has_anchor: bool,
        has_lines: bool,
        Range { start, end }: Range<usize>,
    ) {
        let is_explicit = || {
            let before = &self.source[self.cursor.min(start)..start];
            before.lines().any(|line| line.split(" #").next().is_some_and(|line| line.contains('?')))
        };
        if is_empty && tag.is_none() && !has_anchor && !is_explicit() {
            self.diagnostics.push(
                Diagnostic::new(codes::NOT_WELL_FORMED, "a key is missing before `:`")
                    .at(self.span(start, start + usize::from(self.source[start..].starts_with(':'))))
                    .help("write the key, or quotes for an empty key: `\"\":`"),
            );
        }
        if let Some(TagMark { start: tag_start, end: tag_end, meaning: TagMeaning::Call(known) }) = tag {
            let (tag, key) = (&self.source[tag_start..tag_end], &self.source[start..end]);
            self.diagnostics.push(
                Diagnostic::new(codes::WRONG_KIND, format!("the tag `{tag}` is on the key `{}`", shown(key)))
                    .at(self.span(tag_start, end))
                    .note("a tag belongs to the value that follows it, which is only the key when both are on one line")
                    .help(format!("write `{}:` in full, or put the mapping on the lines below the tag", known.long())),
            );
        }
        if has_lines && !is_explicit() {
            let (what, help) = ("a key in quotes has several lines", "write the key on one line");
            self.diagnostics.push(Diagnostic::new(codes::NOT_WELL_FORMED, what).at(self.span(start, end)).help(help));
        }
    }

    /// A call by a short tag.
    fn tagged(&mut self, known: Known, argument: NodeId, tag_start: usize, tag_end: usize, end: usize) -> NodeId {
        let origin = Origin::Authored(self.span(tag_start, tag_end));
        let name = self.tree.key(known.long(), Style::Tag, origin);
        let origin = Origin::Authored(self.span(tag_start, end.max(tag_end)));
        self.tree.add_call(Function::Known(known), name, argument, Style::Tag, origin)
    }

    fn open(
        &mut self,
        is_map: bool,
        style: StructureStyle,
        anchor: usize,
        tag: Option<TagMark>,
        range: Range<usize>,
    ) -> Result<(), Box<Broken>> {
        if self.stack.len() >= self.limits.depth {
            let diagnostic = depth_error(self.limits.depth, self.span(range.start, range.start));
            return Err(Box::new(Broken { offset: range.start, diagnostic, go_on: false, forgiven: None }));
        }
        let style = if style == StructureStyle::Flow { Style::Flow } else { Style::Plain };
        let mut start = range.start;
        let in_block_map = self.stack.last().is_some_and(|open| open.is_map && open.style == Style::Plain);
        if !is_map && style == Style::Plain && in_block_map {
            start = self.gap.first_dash(self.cursor.max(tag.map_or(0, |tag| tag.end)));
        }
        if self.expects_key() {
            self.diagnostics.push(
                Diagnostic::new(
                    codes::WRONG_KIND,
                    "a key is a list or a mapping: `Template format error: unsupported structure.`",
                )
                .at(self.span(start, start))
                .help("write the key as text"),
            );
        }
        self.cursor = if style == Style::Flow { range.end } else { start };
        let first = if is_map { self.entries.len() } else { self.items.len() };
        self.stack.push(Open { start, style, tag, anchor, is_map, first, key: None, size_before: self.size });
        if anchor != 0 {
            self.anchors.insert(anchor, Anchored { node: None, size: 0, span: Span::NONE });
        }
        self.count(start)
    }

    fn close(&mut self, range: Option<Range<usize>>) {
        let Some(open) = self.stack.pop() else { return };
        if let Some(key) = open.key {
            // The text broke off behind a key.
            let at = self.span(self.cursor, self.cursor);
            let value = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(at));
            self.entries.push(Entry { key, value });
        }
        let end = match range {
            Some(range) if open.style == Style::Flow => range.end.max(self.cursor),
            _ => self.cursor,
        };
        self.cursor = end;
        let mut origin = Origin::Authored(self.span(open.start.min(end), end));
        if let Some(TagMark { start, meaning: TagMeaning::Text | TagMeaning::Nothing, .. }) = open.tag {
            origin = Origin::Authored(self.span(start, end));
        }
        let mut node = if open.is_map {
            let mut entries = self.entries.split_off(open.first);
            let merges = self.merge(&mut entries);
            check_duplicate(self.tree, &mut entries, self.diagnostics);
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
            node
        } else {
            let items = self.items.split_off(open.first);
            self.tree.list(&items, open.style, origin)
        };
        if let Some(TagMark { start, end: tag_end, meaning: TagMeaning::Call(known) }) = open.tag {
            node = self.tagged(known, node, start, tag_end, end);
        }
        let size = self.size - open.size_before;
        self.remember(open.anchor, node, size);
        self.done(node);
    }

    /// Puts a finished node where it belongs.
    fn done(&mut self, node: NodeId) {
        match self.stack.last_mut() {
            None => self.root = Some(node),
            Some(open) if open.is_map => {
                if let Some(key) = open.key.take() {
                    self.entries.push(Entry { key, value: node });
                } else {
                    // A key that is no scalar was reported; its value must have a place.
                    let span = self.tree.span(node).at_start();
                    open.key = Some(self.tree.key("", Style::Plain, Origin::Authored(span)));
                }
            }
            Some(_) => self.items.push(node),
        }
    }

    fn expects_key(&self) -> bool {
        self.stack.last().is_some_and(|open| open.is_map && open.key.is_none())
    }

    fn remember(&mut self, anchor: usize, node: NodeId, size: usize) {
        if anchor == 0 {
            return;
        }
        let span = self.anchors.get(&anchor).map_or(Span::NONE, |open| open.span);
        self.anchors.insert(anchor, Anchored { node: Some(node), size, span });
        if !span.is_none() {
            self.tree.set_anchor(node, span);
        }
    }

    fn anchor_span(&mut self, id: usize, range: Range<usize>) {
        let span = self.span(range.start, range.end);
        self.cursor = self.cursor.max(range.end);
        let anchored = self.anchors.entry(id).or_insert(Anchored { node: None, size: 0, span });
        anchored.span = span;
        if let Some(node) = anchored.node {
            self.tree.set_anchor(node, span);
        }
    }

    fn count(&mut self, at: usize) -> Result<(), Box<Broken>> {
        self.add_size(1, at)
    }

    fn add_size(&mut self, size: usize, at: usize) -> Result<(), Box<Broken>> {
        self.size = self.size.saturating_add(size);
        if self.size <= self.limits.nodes {
            return Ok(());
        }
        let diagnostic = node_error(self.limits.nodes, self.span(at, at));
        Err(Box::new(Broken { offset: at, diagnostic, go_on: false, forgiven: None }))
    }

    fn alias(&mut self, id: usize, range: Range<usize>) -> Result<(), Box<Broken>> {
        let span = self.span(range.start, range.end);
        self.cursor = range.end;
        let anchored = self.anchors.get(&id).copied();
        let Some(Anchored { node: Some(target), size, .. }) = anchored else {
            self.diagnostics.push(
                Diagnostic::new(
                    codes::ALIAS_CYCLE,
                    format!("the alias {} stands inside its own anchor: `{NO_ALIASES}`", &self.text[range.clone()]),
                )
                .at(span)
                .note("to write it out would never end")
                .help("write the value in full in the place of the alias"),
            );
            return self.placeholder(range.start);
        };
        self.add_size(size, range.start)?;
        if !self.alias_noted {
            self.alias_noted = true;
            self.diagnostics.push(
                Diagnostic::new(codes::ALIAS, format!("YAML aliases and merge keys are written out: `{NO_ALIASES}`"))
                    .at(span)
                    .label("the first one stands here"),
            );
        }
        if self.expects_key() {
            let text = self.tree.text(target).to_owned();
            let key = self.tree.key(&text, Style::Plain, Origin::Authored(span));
            if let Some(open) = self.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let name = self.tree.intern(self.text[range].trim_start_matches('*'));
        let record = FrameRecord::new(FrameId::NONE, FrameKind::Alias, span, name);
        let frame = self.tree.frames_mut().push(record);
        // An anchor on a key stands for its text.
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

    fn unresolved_alias(&mut self, name: &str, range: Range<usize>) {
        let span = self.span(range.start, range.end);
        self.cursor = range.end;
        self.diagnostics.push(
            Diagnostic::new(codes::NOT_WELL_FORMED, format!("the alias `*{}` has no anchor before it", shown(name)))
                .at(span)
                .help(format!("a text that begins with `*` needs quotes: `\"*{}\"`", shown(name))),
        );
        let _ = self.placeholder(range.start);
    }

    /// A null in the place of something that was reported.
    fn placeholder(&mut self, at: usize) -> Result<(), Box<Broken>> {
        let span = self.span(at, at);
        if self.expects_key() {
            let key = self.tree.key("", Style::Plain, Origin::Authored(span));
            if let Some(open) = self.stack.last_mut() {
                open.key = Some(key);
            }
            return Ok(());
        }
        let node = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(span));
        self.done(node);
        self.count(at)
    }

    /// Puts the members of merge keys (`<<`) in their place; members written beside them win.
    /// Returns the merge keys as they were written.
    fn merge(&mut self, entries: &mut Vec<Entry>) -> Vec<Entry> {
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
                        self.diagnostics.push(
                            Diagnostic::new(
                                codes::WRONG_KIND,
                                "a merge key `<<` takes a mapping or a list of mappings",
                            )
                            .at(self.tree.span(entry.key))
                            .help("write `<<: *name`, or `<<: [*name, *other]`"),
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

    fn second_document(&self, start: usize) -> Box<Broken> {
        let diagnostic = Diagnostic::new(
            codes::NOT_WELL_FORMED,
            "the file holds more than one YAML document: `Template format error: unsupported structure.`",
        )
        .at(self.span(start, (start + 3).min(self.text.len())))
        .label("a second document begins here")
        .help("put each template in a file of its own");
        Box::new(Broken { offset: start, diagnostic, go_on: false, forgiven: None })
    }

    fn scan_error(&self, error: &ScanError) -> Broken {
        let offset = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        let offset = (0..=offset).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0);
        if matches!(error.kind(), ErrorKind::RecursionLimitExceeded)
            || error.info().contains("limit exceeded")
            || error.info().contains("nesting limit")
        {
            return Broken {
                offset,
                diagnostic: depth_error(self.limits.depth, self.span(offset, offset)),
                go_on: false,
                forgiven: None,
            };
        }
        let (line, column) = LineIndex::new(self.source).line_column(self.source, offset as u32);
        let end = self.text[offset..]
            .chars()
            .next()
            .map_or(offset, |c| if c == '\n' || c == '\r' { offset } else { offset + c.len_utf8() });
        let sentence = format!("Template format error: YAML not well-formed. (line {line}, column {column})");
        if let Some((first, second)) = self.two_tags(offset) {
            let diagnostic =
                Diagnostic::new(codes::TWO_TAGS, format!("two short tags stand on one value: `{sentence}`"))
                    .at(self.span(offset, offset + second.len()))
                    .label(format!("`{second}` follows `{first}`"))
                    .note("a YAML node has one tag")
                    .help(match Known::from_short(first.trim_start_matches('!')) {
                        Some(known) => format!("write the outer function in full: `{}: {second} ...`", known.long()),
                        None => "write the outer function in full".to_owned(),
                    });
            return Broken { offset, diagnostic, go_on: true, forgiven: self.forgiven(error.kind(), offset) };
        }
        let (what, help) = match fault::words(error.kind()) {
            Some((what, help)) => (what, Some(help)),
            None => (error.info().clone(), None),
        };
        let start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let has_tab = line[..line.len() - line.trim_start().len()].contains('\t');
        let help = if has_tab { Some("indent with blanks: YAML takes no tabs") } else { help };
        let mut diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, format!("{what}: `{sentence}`"))
            .at(self.span(offset, end))
            .label("here");
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        Broken { offset, diagnostic, go_on: true, forgiven: self.forgiven(error.kind(), offset) }
    }

    /// What the readers of YAML 1.1 make of an error.
    fn forgiven(&self, kind: &ErrorKind, offset: usize) -> Option<Forgiven> {
        match kind {
            ErrorKind::CommentNotSeparated => {
                let before = self.source[..offset].chars().next_back()?;
                (self.source[offset..].starts_with('#') && "'\"[]{},".contains(before)).then_some(Forgiven::Comment)
            }
            ErrorKind::InvalidQuotedScalarIndent
            | ErrorKind::InvalidIndentation
            | ErrorKind::TabNotAllowed
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInBlockIndentation => {
                let in_flow = self.stack.last().is_some_and(|open| open.style == Style::Flow);
                let found = quoted::around(self.source, self.cursor, offset, in_flow)?;
                let is_new = self.quoted.iter().all(|known| known.range != found.range);
                is_new.then_some(Forgiven::Quoted(found))
            }
            _ => None,
        }
    }

    /// The two tags, when one stands right before the other at `offset`.
    fn two_tags(&self, offset: usize) -> Option<(&str, &str)> {
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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::tree::View;

    pub(super) fn check(text: &str) -> (Tree, NodeId, Vec<String>) {
        let mut tree = Tree::new();
        let mut diagnostics = Diagnostics::new();
        let root = read(&mut tree, text, 1, &Limits::default(), &mut diagnostics);
        let messages = diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
        (tree, root, messages)
    }

    fn at(tree: &Tree, root: NodeId, path: &[&str]) -> NodeId {
        path.iter().fold(root, |node, key| match key.parse::<usize>() {
            Ok(at) => tree.items(node)[at],
            Err(_) => tree.get_text(node, key).unwrap_or_else(|| panic!("no {key}")),
        })
    }

    fn slice<'t>(tree: &Tree, text: &'t str, node: NodeId) -> &'t str {
        let span = tree.span(node);
        &text[span.start() as usize - 1..span.end() as usize - 1]
    }

    #[test]
    fn spans_of_every_kind_of_node() {
        let text = "a: !Sub\n  - x${y}\n  - y: !Ref Z\nb:\n  !Sub \"q\"\ne: |\n  text\n  more\n\nf:\n- 1\n- - 2\n  - 3\ng:\n? prod\n: {a: b}\nh: !Ref\nl: # c\n  >-\n    a\n    b\nm: [x: y]";
        let (tree, root, errors) = check(text);
        assert_eq!(errors, [""; 0]);
        for (path, want) in [
            (&["a"][..], "!Sub\n  - x${y}\n  - y: !Ref Z"),
            (&["b"], "!Sub \"q\""),
            (&["e"], "|\n  text\n  more"),
            (&["f"], "- 1\n- - 2\n  - 3"),
            (&["f", "1"], "- 2\n  - 3"),
            (&["g"], ""),
            (&["prod"], "{a: b}"),
            (&["h"], "!Ref"),
            (&["l"], ">-\n    a\n    b"),
            (&["m", "0"], "x: y"),
        ] {
            assert_eq!(slice(&tree, text, at(&tree, root, path)), want, "{path:?}");
        }
        assert_eq!(tree.text(at(&tree, root, &["l"])), "a b");
        let g = tree.span(at(&tree, root, &["g"])).start() as usize - 1;
        assert_eq!(&text[g - 2..g], "g:");
    }

    #[test]
    fn tags_are_calls() {
        let (tree, root, errors) =
            check("a: !GetAtt x.y\nb: {Fn::Sub: z}\nc: !Ref yes\nd: {Ref: a, b: c}\ne: {Condition: x}");
        assert_eq!(errors, [""; 0]);
        let a = tree.argument_of(at(&tree, root, &["a"]), Known::GetAtt).expect("a call");
        assert_eq!(tree.text(a), "x.y");
        assert!(tree.argument_of(at(&tree, root, &["b"]), Known::Sub).is_some());
        let c = tree.argument_of(at(&tree, root, &["c"]), Known::Ref).expect("a call");
        assert!(matches!(tree.view(c), View::String("yes")));
        assert_eq!(tree.kind(at(&tree, root, &["d"])), Kind::Map);
        assert_eq!(tree.kind(at(&tree, root, &["e"])), Kind::Map);
    }

    #[test]
    fn aliases_and_merge_keys_are_expanded() {
        let (tree, root, errors) = check("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\nc: *x\nd: {<<: [*x, {r: 4}], p: 0}");
        assert_eq!(errors.len(), 1, "{errors:?}");
        let b: Vec<_> = tree.entries(at(&tree, root, &["b"])).map(|e| (tree.text(e.key), tree.text(e.value))).collect();
        assert_eq!(b, [("p", "1"), ("q", "3")]);
        assert!(tree.same_data(at(&tree, root, &["a"]), at(&tree, root, &["c"])));
        assert_eq!(tree.len(at(&tree, root, &["d"])), 3);
        assert!(tree.anchor(at(&tree, root, &["a"])).is_some());
    }

    #[test]
    fn hostile_aliases_end_in_an_error() {
        let mut text = "a0: &a0 [x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..12 {
            let last = level - 1;
            let aliases = vec![format!("*a{last}"); 8].join(",");
            let _ = writeln!(text, "a{level}: &a{level} [{aliases}]");
        }
        let (.., errors) = check(&text);
        assert!(errors.iter().any(|error| error.contains("aliases expanded")), "{errors:?}");
        let (.., errors) = check("a: &a [*a]\n");
        assert!(errors[0].contains("its own anchor"), "{errors:?}");
    }

    #[test]
    fn all_errors_are_found() {
        let (tree, root, errors) = check("a: 1\nb: !Base64 !Sub x\nc: [1, 2\nd: 3\ne: 'x\n");
        assert!(errors.len() >= 2, "{errors:?}");
        assert!(errors[0].starts_with("FW0008"), "{errors:?}");
        assert_eq!(tree.text(at(&tree, root, &["a"])), "1");
        let (.., errors) = check("a: 1\n---\nb: 2\n");
        assert!(errors[0].contains("more than one YAML document"));
        let (.., errors) = check("a: !Joinn [x]\nb: !ForEach x\n");
        assert_eq!(errors.len(), 2, "{errors:?}");
    }

    #[test]
    fn deep_nesting_is_refused() {
        for text in [
            format!("a: {}{}", "[".repeat(30_000), "]".repeat(30_000)),
            "- ".repeat(30_000),
            (0..3000).flat_map(|n| [" ".repeat(n), "a:\n".to_owned()]).collect(),
        ] {
            let (.., errors) = check(&text);
            assert_eq!(errors.len(), 1, "{errors:?}");
            assert!(errors[0].contains("nested deeper than 200"), "{errors:?}");
        }
    }

    /// What SnakeYAML 1.33 decides, but for `?` in brackets and invisible marks, which are refused where it
    /// reads them as something that nobody means.
    #[test]
    fn texts_are_accepted_and_refused_as_snakeyaml_does() {
        for text in [
            "a: 'x'#c\nb: 1\n",
            "a: \"x\"#c\n\"b\": 2\n",
            "a: [1,#c\n 2]#d\nb: {c: 1}#e\n",
            "a: [#c\n1]\n",
            "a: \"x\ny\"\n",
            "a:\n  b: 'x\n y\n\nz'\n  c: 1\n",
            "- 'a\nb'\n- c\n",
            "a: ['x\ny', z]\n",
            "a: \"x\n\ty\"\n",
            "a: [\"x\n\ty\"]\n",
            "a:\n  \"x\ny\"\nb: 1\n",
            "? 'x\ny'\n: z\n",
            "a: [\n1, 2\n]\nb: 1\n",
            "a: \"x\u{feff}y\"\nb: '\u{feff}'\n",
            "{\"a\": \"\u{feff}\"}\n",
            "{a, b: c}\n",
            "[? a : b]\n",
            "\"\": x\n",
            "? a\n",
            "? # nothing\n: x\n",
            "{? : x}\n",
            "!!null : x\n",
            "!!str a: b\n",
            "&x a: b\nc: *x\n",
            "&a\n&b x: 1\n",
            "a: &x\n  &y b: 1\n",
            "a: &x\n- b\n",
            "a: !Join\n- b\n",
            "a: &x b\nc:\n  *x : d\n",
        ] {
            let (.., errors) = check(text);
            assert!(errors.iter().all(|error| error.starts_with("FW0004")), "{text:?}: {errors:?}");
        }
        for text in [
            "a: |#c\n  x\n",
            "\"a\nb\": 1\n",
            "a: \"x\ny\" z\n",
            "a:\n - b: \"x\n---\ny\"\n",
            "a: 'x'b\n",
            "A: {A: https://x/a?b=1}\n",
            "[?x]\n",
            "{a?b: c}\n",
            "[a ? b]\n",
            "[a?]\n",
            "[\"x\"?]\n",
            "a: x\u{feff}y\n",
            "a: 1\n\u{feff}b: 2\n",
            "a: |\n  x\u{feff}\n",
            ": x\n",
            "a:\n  : x\n",
            "- : x\n",
            "{: x}\n",
            "[: x]\n",
            "a:\n  !ImportValue Fn::Sub: x\n",
            "{!Sub a: b}\n",
            "- !Sub a: b\n",
            "a: &x b\nc:\n  !Sub *x : d\n",
            "a: &x &y b\n",
            "a: [&x &y b]\n",
            "a: &x\n  &y b\n",
            "&a &b k: v\n",
            "a: &x !Sub &y b\n",
            "a: !Sub !Ref c\n",
            "a: !Sub\n  !Ref b\n",
            "a: &x b\nc: &y *x\n",
            "a: &x b\nc: !Sub *x\n",
            "a: &x b\nc:\n  &y *x : d\n",
        ] {
            let (.., errors) = check(text);
            assert!(errors.iter().any(|error| !error.starts_with("FW0004")), "{text:?}");
        }
    }

    #[test]
    fn quoted_text_at_less_indentation_keeps_its_value_and_place() {
        let text = "a:\n  b: 'x\n y\n\nz'#c\n  c: [\"\\u0041\nB\"]\nd: !Sub\n  - [\n";
        let (tree, root, errors) = check(text);
        assert_eq!(tree.text(at(&tree, root, &["a", "b"])), "x y\nz");
        assert_eq!(slice(&tree, text, at(&tree, root, &["a", "b"])), "'x\n y\n\nz'");
        assert_eq!(tree.text(at(&tree, root, &["a", "c", "0"])), "A B");
        assert!(errors[0].contains("line 9"), "{errors:?}");
    }

    #[test]
    fn blank_lines_belong_to_text_that_keeps_them() {
        for (text, span, value) in [
            ("a: |+\n  x\n\n\nb: 1\n", "|+\n  x\n\n", "x\n\n\n"),
            ("a: |+\n  x\n\n# c\n\nb: 1\n", "|+\n  x\n", "x\n\n"),
            ("a: >+\n  x\n\n", ">+\n  x\n", "x\n\n"),
            ("a: |2+\n   x\nb: 1\n", "|2+\n   x", " x\n"),
            ("a: |+\n\n\nb: 1\n", "|+\n\n", "\n\n"),
            ("a: |\n  x\n\n\nb: 1\n", "|\n  x", "x\n"),
        ] {
            let (tree, root, _) = check(text);
            let node = at(&tree, root, &["a"]);
            assert_eq!((slice(&tree, text, node), tree.text(node)), (span, value), "{text:?}");
        }
    }

    #[test]
    fn a_block_scalar_at_the_end_of_the_file() {
        let (tree, root, _) = check("a: |\n  x");
        assert_eq!(tree.text(at(&tree, root, &["a"])), "x");
        let (tree, root, _) = check("a: >\n  x\n  y\n");
        assert_eq!(tree.text(at(&tree, root, &["a"])), "x y\n");
    }

    #[test]
    fn duplicate_keys_keep_the_last() {
        let (tree, root, errors) = check("a: 1\nb: 2\na: 3\n");
        assert_eq!(errors, ["FW0003 the key \"a\" stands twice in one mapping"]);
        assert_eq!(tree.text(at(&tree, root, &["a"])), "3");
        assert_eq!(tree.len(root), 2);
    }
}
