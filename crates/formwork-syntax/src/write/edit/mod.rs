//! Output in the format of the source: the author's text is kept, and only changed parts are re-created
//! (reference/layout.md#in-place).
//!
//! The new tree is walked beside the authored one. An unchanged node is copied from its source; one that was generated
//! in place of an authored node of the same shape is edited inside ([`block`], [`flow`]); anything else is re-created
//! in place of the authored node. Copies of a loop body are copied from the one body in the source, each line shifted.

mod block;
mod copy;
mod flow;
mod repeated;
mod segments;
mod spliced;

use std::rc::Rc;

use formwork_base::{ColumnUnit, FileId, IdMap, SourceMap, Span};
use rustc_hash::FxHashMap;

use super::copies::Copies;
use super::out::{Out, Part, Recorder};
use super::yaml::{Host, Layout, Writer};
use super::{json, json_string};
use crate::document::{Document, Format};
use crate::json::lines::{Lines, MOST_STEP};
use crate::tree::{FrameId, Kind, NodeId, Style, Tree, flags, symbol};
pub(super) use copy::lines;
use segments::Segment;

pub(super) fn write<R: Recorder>(
    tree: &Tree,
    root: NodeId,
    document: &Document,
    sources: &SourceMap,
    out: &mut Out<'_, R>,
) {
    let whole = sources.span(document.file);
    let has_aliases = tree.has(document.root, flags::HAS_ALIAS);
    let mut editor = Editor {
        tree,
        sources,
        file: document.file,
        text: sources.slice(whole),
        base: whole.start(),
        out,
        layout: layout(tree, document, sources),
        step: json_step(sources.slice(whole)),
        is_json: document.format == Format::Json,
        // Many readers reject two anchors of one name, which the copies of a loop's body would have.
        cuts: if has_aliases || tree.has(document.root, flags::HAS_LOOP) { tree.anchor_spans() } else { Vec::new() },
        has_blocks: document.format == Format::Yaml
            && memchr::memchr2(b'|', b'>', sources.slice(whole).as_bytes()).is_some(),
        frame: FrameId::NONE,
        repeats: false,
        segments: IdMap::default(),
        shifts: FxHashMap::default(),
        copies: Copies::default(),
    };
    let (old, span) = (document.root, tree.span(document.root));
    let start = Context { shift: 0, comments: true };
    editor.gap(Span::new(whole.start(), span.start()), start);
    let tail = Span::new(span.end(), editor.line_end(span.end()));
    if editor.keeps_shape(old, root) {
        editor.node(old, root, start, tail, Host::Key(0));
    } else if editor.is_json {
        editor.json_value(root, old, span.start(), start);
        editor.gap(tail, start);
    } else {
        editor.writer().inline(root, false);
        editor.gap(tail, start);
    }
    editor.gap(Span::new(tail.end(), whole.end()), start);
    if editor.out.take_block_end().is_some_and(|end| end.needs_break) {
        editor.out.push(editor.layout.newline);
    }
}

/// Returns the comment between a key or dash and the end of its line, with the spaces before it. Only a tag and an
/// anchor may be before it.
fn comment_in(beside: &str) -> Option<&str> {
    let mut words = beside.split_inclusive([' ', '\t']);
    let mut at = 0;
    let mark = words.find_map(|word| {
        let start = at;
        at += word.len();
        word.starts_with('#').then_some(start)
    })?;
    Some(&beside[beside[..mark].trim_end().len()..])
}

/// Returns the layout of new lines as in the rest of the file: line break of the first line, indentation of the first
/// indented line under a section's key, place of the dashes of the first block list under a key.
fn layout<'s>(tree: &Tree, document: &Document, sources: &'s SourceMap) -> Layout<'s> {
    let text: &'s str = sources.slice(sources.span(document.file));
    let newline = match text.find(['\n', '\r']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text.as_bytes()[at] == b'\r' => "\r",
        _ => "\n",
    };
    Layout {
        newline,
        step: Some(step(text)).filter(|step| *step <= MOST_STEP).unwrap_or(2),
        dash_in_column: document.format == Format::Yaml
            && first_dash_in_column(tree, document, sources).unwrap_or(false),
        keep_spelling: true,
    }
}

pub(super) fn step(text: &str) -> usize {
    lines(text)
        .filter(|(line, _)| line.starts_with(' '))
        .map(|(line, _)| (line.len() - line.trim_start_matches(' ').len(), line.trim_start()))
        .find(|(_, rest)| !rest.is_empty() && !rest.starts_with('#'))
        .map_or(2, |(indent, _)| indent)
}

/// Most columns in which new lines of JSON begin: each entry of a new value repeats them.
const WIDEST: usize = 1000;

fn json_step(text: &str) -> &str {
    let mut indents = lines(text).map(|(line, _)| &line[..copy::indent_of(line)]);
    match indents.find(|indent| !indent.is_empty()) {
        Some(indent) if indent.starts_with('\t') => "\t",
        Some(indent) if indent.len() <= MOST_STEP => indent,
        _ => "  ",
    }
}

fn first_dash_in_column(tree: &Tree, document: &Document, sources: &SourceMap) -> Option<bool> {
    let (base, text) = (sources.base(document.file), sources.text(document.file));
    let column = |span: Span| {
        let before = text.get(..span.start().checked_sub(base)? as usize)?;
        let start = memchr::memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |found| found + 1);
        Some(before[start..].chars().count())
    };
    let mut pending: Vec<(Option<NodeId>, NodeId)> = vec![(None, document.root)];
    while let Some((key, node)) = pending.pop() {
        if tree.is_alias(node) {
            continue;
        }
        match tree.kind(node) {
            Kind::List => {
                if let Some(key) = key.filter(|_| tree.style(node) == Style::Plain && !tree.is_empty(node)) {
                    return Some(column(tree.span(node))? == column(tree.span(key))?);
                }
                pending.extend(tree.items(node).iter().rev().map(|&item| (None, item)));
            }
            Kind::Map => pending.extend(tree.entries(node).rev().map(|entry| (Some(entry.key), entry.value))),
            Kind::Call => {
                let key = (tree.style(node) == Style::Plain).then(|| tree.call_name(node));
                pending.push((key, tree.call(node).1));
            }
            _ => {}
        }
    }
    None
}

#[derive(Clone, Copy, Debug)]
struct Context {
    /// Columns by which lines move to the right.
    shift: i32,
    /// Set when comments are copied; not in the second and later copies of a loop body.
    comments: bool,
}

#[derive(Clone, Copy, Debug)]
enum Anchor {
    Host(Host),
    Tag(Host),
}

impl Anchor {
    fn host(self) -> Host {
        match self {
            Anchor::Host(host) | Anchor::Tag(host) => host,
        }
    }
}

struct Editor<'w, 's, R> {
    tree: &'w Tree,
    sources: &'w SourceMap,
    file: FileId,
    text: &'w str,
    base: u32,
    out: &'w mut Out<'s, R>,
    layout: Layout<'w>,
    step: &'w str,
    is_json: bool,
    /// Anchors, which are left out in a file that has aliases or loops.
    cuts: Vec<Span>,
    has_blocks: bool,
    frame: FrameId,
    /// Set while text is edited that is written several times: the body of a loop.
    repeats: bool,
    segments: IdMap<NodeId, Rc<[Segment]>>,
    /// Shifts of the entries of a repeated fragment, by their values and columns.
    shifts: FxHashMap<(NodeId, usize), i32>,
    copies: Copies,
}

impl<'w, 's, R: Recorder> Editor<'w, 's, R> {
    fn writer(&mut self) -> Writer<'_, 's, R> {
        Writer { tree: self.tree, out: self.out, layout: self.layout, frame: self.frame, trailing: String::new() }
    }

    fn enter(&mut self, node: NodeId) -> FrameId {
        let inner = self.out.enter(self.tree, self.frame, node);
        std::mem::replace(&mut self.frame, inner)
    }

    fn mark(&mut self, node: NodeId, part: Part) {
        self.out.mark(node, part, self.frame);
    }

    fn slice(&self, span: Span) -> &'w str {
        // Nearly all spans are in the document itself.
        match (self.offset(span.start()), self.offset(span.end())) {
            (Some(start), Some(end)) => self.text.get(start..end).unwrap_or_default(),
            _ => self.sources.slice(span),
        }
    }

    fn offset(&self, at: u32) -> Option<usize> {
        let offset = at.checked_sub(self.base)? as usize;
        (offset <= self.text.len()).then_some(offset)
    }

    fn text_before(&self, at: u32) -> &'w str {
        if let Some(offset) = self.offset(at) {
            return &self.text[..offset];
        }
        let Some(file) = self.sources.file_of(Span::new(at, at)) else { return "" };
        let base = self.sources.base(file);
        &self.sources.text(file)[..(at - base) as usize]
    }

    fn text_behind(&self, at: u32) -> &'w str {
        if let Some(offset) = self.offset(at) {
            return &self.text[offset..];
        }
        let Some(file) = self.sources.file_of(Span::new(at, at)) else { return "" };
        let base = self.sources.base(file);
        &self.sources.text(file)[(at - base) as usize..]
    }

    fn line_end(&self, at: u32) -> u32 {
        let rest = self.text_behind(at);
        at + memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len()) as u32
    }

    /// Returns the text of the line before `at`. The line is looked up: a text without a line break would be searched
    /// to its start for each of its entries.
    fn line_before(&self, at: u32) -> &'w str {
        let Some((file, offset)) = self.place(at) else { return "" };
        let lines = self.sources.lines_up_to(file, offset);
        &self.text_before(at)[lines.line_start(lines.line(offset)) as usize..]
    }

    fn place(&self, at: u32) -> Option<(FileId, u32)> {
        if self.offset(at).is_some() {
            return Some((self.file, at - self.base));
        }
        let file = self.sources.file_of(Span::new(at, at))?;
        Some((file, at - self.sources.base(file)))
    }

    /// Returns the zero-based column of a position, in characters.
    fn column(&self, at: u32) -> i32 {
        let Some((file, offset)) = self.place(at) else { return 0 };
        let lines = self.sources.lines_up_to(file, offset);
        lines.position(self.sources.text(file), offset, ColumnUnit::Scalar).column as i32
    }

    fn indent(&self, at: u32) -> i32 {
        let line = self.line_before(at);
        line.chars().take_while(|c| matches!(c, ' ' | '\t')).count() as i32
    }

    fn begins_line(&self, at: u32) -> bool {
        self.text_before(at).trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|c| matches!(c, '\n' | '\r'))
    }

    /// Returns `true` when `new` can be written by editing the text of `old`.
    fn keeps_shape(&self, old: NodeId, new: NodeId) -> bool {
        let tree = self.tree;
        if tree.is_alias(old) {
            return false;
        }
        if new == old {
            return true;
        }
        let kind = tree.kind(new);
        if kind == Kind::Map && self.is_splice(old) {
            return tree.authored(new) == old && !tree.is_empty(new);
        }
        if kind != tree.kind(old) || tree.authored(new) != old || tree.is_alias(new) {
            return false;
        }
        match kind {
            Kind::Map if self.is_short_call(old) => false,
            Kind::Map | Kind::List => !tree.is_empty(new) && !tree.is_empty(old),
            Kind::Call => tree.call(new).0 == tree.call(old).0,
            _ => false,
        }
    }

    /// Returns `true` for a mapping of variables that is written as a call by its short tag, `!Ref x`, and has no key
    /// before its value.
    fn is_short_call(&self, old: NodeId) -> bool {
        self.tree.entries(old).next().is_some_and(|entry| self.slice(self.tree.span(entry.key)).starts_with('!'))
    }

    /// Returns `true` for a call by its long name that returns the entries of the surrounding object.
    fn is_splice(&self, old: NodeId) -> bool {
        self.tree.kind(old) == Kind::Call
            && self.tree.style(old) != Style::Tag
            && [symbol::FN_MERGE, symbol::FN_MAP].contains(&self.tree.symbol(self.tree.call_name(old)))
    }

    fn node(&mut self, old: NodeId, new: NodeId, context: Context, tail: Span, host: Host) {
        let outer = self.enter(new);
        if new == old && !self.tree.has(old, flags::EDITED) {
            self.copy_node(old, context);
            self.gap(tail, context);
        } else {
            self.edited(old, new, context, tail, host);
        }
        self.frame = outer;
    }

    fn edited(&mut self, old: NodeId, new: NodeId, context: Context, tail: Span, host: Host) {
        if self.tree.style(old) == Style::Tag {
            self.tagged(old, new, context, tail, host);
        } else if self.tree.style(old) == Style::Flow {
            self.flow(old, new, context);
            self.gap(tail, context);
        } else {
            self.block(old, new, context, tail);
        }
    }

    fn tagged(&mut self, old: NodeId, new: NodeId, context: Context, tail: Span, host: Host) {
        self.mark(new, Part::Value);
        let name = self.tree.span(self.tree.call_name(old));
        self.out.push(self.slice(name));
        let (before, after) = (self.tree.call(old).1, self.tree.call(new).1);
        self.attach(name.end(), before, after, Anchor::Tag(host), context, tail, false);
    }

    /// Writes the value behind a key, dash or tag whose text ends at `from`, and the rest of its line.
    #[expect(clippy::too_many_arguments, reason = "the two sides of one edit")]
    fn attach(
        &mut self,
        from: u32,
        old: NodeId,
        new: NodeId,
        hang: Anchor,
        context: Context,
        tail: Span,
        key_is_new: bool,
    ) {
        let site = self.tree.site(old);
        let lead = Span::new(from, site.start().max(from));
        if self.keeps_shape(old, new) {
            self.gap(lead, context);
            if key_is_new && !site.is_empty() && self.slice(lead).ends_with(':') {
                self.out.push_char(' ');
            }
            self.node(old, new, context, tail, hang.host());
            return;
        }
        let outer = self.enter(new);
        let mut rest = self.slice(lead);
        if matches!(hang, Anchor::Host(Host::Key(_))) {
            if let Some(behind) = rest.trim_start_matches([' ', '\t']).strip_prefix(':') {
                self.out.push_char(':');
                rest = behind;
            } else if let Some(colon) = copy::explicit_colon(rest) {
                self.gap(Span::new(lead.start(), lead.start() + colon as u32 + 1), context);
                rest = &rest[colon + 1..];
            } else {
                self.out.push_char(':');
            }
        }
        let (beside, below) = match rest.find(['\n', '\r']) {
            Some(at) => (&rest[..at], true),
            None => (rest, false),
        };
        let mut trailing = String::new();
        if below {
            // The value moves up to the line of its key, dash or tag, before a comment there. A tag or anchor is
            // removed with the old value.
            if let Some(comment) = comment_in(beside).filter(|_| context.comments) {
                trailing.push_str(comment.trim_end());
            }
            self.out.push_char(' ');
        } else {
            let beside = if self.cuts.is_empty() { beside } else { " " };
            self.out.push(if beside.is_empty() { " " } else { beside });
        }
        let tail_text = self.slice(tail);
        if context.comments || !tail_text.contains('#') {
            if tail_text.starts_with('#') {
                trailing.push(' ');
            }
            trailing.push_str(tail_text);
        }
        let mut writer = self.writer();
        writer.trailing = trailing;
        match hang {
            Anchor::Host(Host::Dash(column)) => writer.after_dash(new, column),
            Anchor::Tag(host) if writer.is_tagged(new) => writer.untagged(new, host),
            Anchor::Host(host) | Anchor::Tag(host) => writer.below(new, host),
        }
        writer.flush_trailing();
        self.frame = outer;
    }

    /// Writes a new value of JSON beside `old` or in its place, whose entry or element begins at `start`. It is written
    /// on several lines if that entry is at the beginning of its line, unless `old` is on a single line.
    fn json_value(&mut self, new: NodeId, old: NodeId, start: u32, context: Context) {
        let tree = self.tree;
        let has_lines = tree.is_collection(new) && self.begins_line(start) && !self.is_on_one_line(old);
        let line = has_lines.then(|| self.shifted_indent(start, context.shift));
        let lines = line.filter(|line| line.len() <= WIDEST).map(|line| Lines::new(line, self.step));
        json::Writer::inside(tree, self.out, self.frame, lines).value(new, 0);
    }

    /// Returns `true` for a collection that is not empty and on one line, as far as its beginning shows.
    fn is_on_one_line(&self, node: NodeId) -> bool {
        const BEGIN: usize = 1000;
        let text = self.slice(self.tree.span(node)).as_bytes();
        (self.tree.kind(node) == Kind::Call || self.tree.len(node) > 0)
            && memchr::memchr2(b'\n', b'\r', &text[..text.len().min(BEGIN)]).is_none()
    }

    fn shifted_indent(&self, at: u32, shift: i32) -> String {
        let (kept, is_of_tabs, more) = copy::shifted(self.line_before(at), shift);
        [self.layout.newline, kept, &(if is_of_tabs { "\t" } else { " " }).repeat(more)].concat()
    }

    fn json_key(&mut self, key: NodeId) -> FrameId {
        let outer = self.enter(key);
        self.mark(key, Part::Key);
        json_string::string(self.tree.text(key), self.out.text_mut());
        outer
    }
}
