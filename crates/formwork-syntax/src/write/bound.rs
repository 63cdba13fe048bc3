//! A bound of what writing in the format that was read takes, found without writing.
//!
//! What is written is made of two things. *Copied* text comes from the file: each part of it once, and the text of a
//! loop once more for each of its iterations; a line of it may move to the right. *New* text is computed from the
//! result: at most every node of it, each on a line of its own, as deep as it is.

use formwork_base::{FrameKind, IdMap, SourceMap};

use super::edit::step;
use crate::document::Document;
use crate::tree::{Kind, NodeId, Tree, flags, symbol};

/// Returns a number of bytes that [`write`](super::write) does not exceed in the format of `document`. `None`
/// when that number is above `most`, and when only writing shows it.
///
/// Takes time linear in the text and in what is written, and stops above `most`.
pub fn at_most(tree: &Tree, root: NodeId, document: &Document, sources: &SourceMap, most: usize) -> Option<usize> {
    let text = sources.text(document.file);
    let within = |bound: usize| (bound <= most).then_some(bound);
    within(text.len())?;
    // An alias may be written as the value that it repeats, and what is spliced has no text of its own.
    if tree.has_anchors() || tree.has(document.root, flags::EDITED) {
        return None;
    }
    if root == document.root {
        return Some(text.len());
    }
    if tree.has_key(symbol::FN_MAP) || tree.has_key(symbol::FN_MERGE) {
        return None;
    }
    let (mut page, whole) = Page::of(text);
    let loops = Loops::of(tree, document, sources)?;
    // The body of a loop begins no more than one step right of where it was relative to its key.
    page.column += (page.indent + page.level) * loops.depth;
    let mut bound = page.copied(whole);
    for record in tree.frames().records() {
        match record.kind {
            FrameKind::Loop => bound += page.copied(*loops.extents.get(&record.site.start())?),
            // Text of other files.
            FrameKind::Module | FrameKind::Package => return None,
            _ => {}
        }
        within(bound)?;
    }
    // New text is below text that is there, or below a dash with more spaces after it than one.
    page.column += page.indent + 2;
    page.escapes = tree.may_hold_byte(needs_escape);
    let mut pending = Vec::with_capacity(OPEN);
    pending.push((root, 0));
    while let Some((node, depth)) = pending.pop() {
        let line = page.line(depth);
        match tree.kind(node) {
            Kind::List => {
                bound += BRACKETS;
                for &item in tree.items(node) {
                    bound += line;
                    below(tree, item, depth, &page, &mut bound, &mut pending);
                }
            }
            Kind::Map => {
                bound += BRACKETS;
                for entry in tree.entries(node) {
                    bound += line + page.string(tree, entry.key, 0);
                    below(tree, entry.value, depth, &page, &mut bound, &mut pending);
                }
            }
            Kind::Call => {
                let (function, argument) = tree.call(node);
                bound += BRACKETS + line + tree.function_name(function).len();
                below(tree, argument, depth, &page, &mut bound, &mut pending);
            }
            _ => bound += scalar(tree, node, line, &page),
        }
        within(bound)?;
    }
    Some(bound)
}

/// Collections that wait, of a small template.
const OPEN: usize = 16;

/// Opening and closing of a collection, or of a call with its quotes.
const BRACKETS: usize = 4;

/// Counts a scalar, or leaves a collection for later.
fn below(tree: &Tree, node: NodeId, depth: usize, page: &Page, bound: &mut usize, pending: &mut Vec<(NodeId, usize)>) {
    if tree.is_collection(node) {
        pending.push((node, depth + 1));
    } else {
        *bound += scalar(tree, node, page.line(depth + 1), page);
    }
}

/// A scalar as it is written again; `line` is what each of its lines takes.
fn scalar(tree: &Tree, node: NodeId, line: usize, page: &Page) -> usize {
    /// Zeros that are added when an exponent is written out.
    const ZEROS: usize = 404;
    match tree.kind(node) {
        Kind::Null | Kind::Bool => tree.text(node).len() + "false".len(),
        Kind::Number if tree.text(node).contains(['e', 'E']) => tree.text(node).len() + ZEROS,
        Kind::Number => tree.text(node).len() + 1,
        _ => page.string(tree, node, line),
    }
}

/// Whether a byte of a string may be written as an escape, or is one of a line break.
fn needs_escape(byte: u8) -> bool {
    !matches!(byte, b' '..=b'~') || matches!(byte, b'"' | b'\\' | b'\'')
}

/// How the lines of a file look.
struct Page {
    /// The most that a line begins with: spaces, dashes, and the marks of explicit keys.
    indent: usize,
    /// The rightmost column to which a line is moved, less what depth adds.
    column: usize,
    /// What a level of depth adds: a step, or a dash and a space.
    level: usize,
    /// Whether any string has a byte that needs an escape.
    escapes: bool,
}

impl Page {
    /// Returns the page of a text, and the size of the text.
    fn of(text: &str) -> (Page, Extent) {
        let bytes = text.as_bytes();
        let is_begin = |byte: &u8| matches!(byte, b' ' | b'\t' | b'-' | b'?' | b':');
        let (mut indent, mut start, mut lines) = (0, 0, 0);
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]) {
            let line = &bytes[start..end];
            indent = indent.max(line.iter().position(|byte| !is_begin(byte)).unwrap_or(line.len()));
            start = end + 1;
            lines += 1;
        }
        // A mark of the byte order is a character.
        let page = Page { indent, column: indent + 1, level: step(text).max(2), escapes: true };
        (page, Extent { bytes: text.len(), lines })
    }

    /// A string in quotes, or as a block with its header. An escape has six characters for a byte or more.
    fn string(&self, tree: &Tree, node: NodeId, line: usize) -> usize {
        const ESCAPE: usize = 6;
        let quotes = 4;
        if !self.escapes {
            return tree.text_len(node) + quotes;
        }
        let text = tree.text(node);
        let escaped = text.bytes().filter(|&byte| needs_escape(byte)).count();
        let lines = if escaped == 0 { 0 } else { memchr::memchr_iter(b'\n', text.as_bytes()).count() };
        text.len() + ESCAPE * escaped + line * lines + quotes
    }

    /// A line break of the file's kind and what a new line begins with. Separators are a colon or comma, a dash, and
    /// spaces.
    fn line(&self, depth: usize) -> usize {
        const SEPARATORS: usize = 8;
        self.column + SEPARATORS + depth * self.level
    }

    /// What a text takes when each of its lines begins in the rightmost column.
    fn copied(&self, extent: Extent) -> usize {
        extent.bytes + extent.lines * (self.column + 2)
    }
}

/// The size of a text.
#[derive(Clone, Copy)]
struct Extent {
    bytes: usize,
    /// The one after the last line break counts, too.
    lines: usize,
}

impl Extent {
    fn of(text: &str) -> Extent {
        let lines = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).count() + 1;
        Extent { bytes: text.len(), lines }
    }
}

/// The loops of a file.
#[derive(Default)]
struct Loops {
    /// From the key to the end of the line on which its value ends, by where the key begins.
    extents: IdMap<u32, Extent>,
    /// How many are inside each other.
    depth: usize,
}

impl Loops {
    fn of(tree: &Tree, document: &Document, sources: &SourceMap) -> Option<Loops> {
        let (whole, text) = (sources.span(document.file), sources.text(document.file));
        let mut loops = Loops::default();
        let mut pending = vec![(document.root, 0)];
        while let Some((node, depth)) = pending.pop() {
            if !tree.has(node, flags::HAS_LOOP) {
                continue;
            }
            match tree.kind(node) {
                Kind::List => pending.extend(tree.items(node).iter().map(|&item| (item, depth))),
                Kind::Call => pending.push((tree.call(node).1, depth)),
                Kind::Map => {
                    for entry in tree.entries(node) {
                        let is_loop = tree.loop_name(entry.key).is_some();
                        if is_loop {
                            let start = tree.span(entry.key).start();
                            let end = (tree.span(entry.value).end().max(start) - whole.start()) as usize;
                            let rest = text.get(end..)?;
                            let end = end + memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
                            let copy = text.get((start - whole.start()) as usize..end)?;
                            let extent = Extent::of(copy);
                            // The line break before a copy, and an empty line.
                            let extent = Extent { bytes: extent.bytes + 4, lines: extent.lines + 2 };
                            loops.extents.insert(start, extent);
                            loops.depth = loops.depth.max(depth + 1);
                        }
                        pending.push((entry.value, depth + usize::from(is_loop)));
                    }
                }
                _ => {}
            }
        }
        Some(loops)
    }
}
