//! The output buffer, with recording of positions.

use crate::tree::{FrameId, NodeId, Tree};

/// The part of a node at a place of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The value of the node.
    Value,
    /// The key of an entry.
    Key,
}

/// A receiver of every written node, in output order: for source maps.
pub trait Recorder {
    /// `false` for a recorder that ignores all nodes, for which writers do no extra work.
    const ON: bool;

    /// Returns the context of a node that was generated in `own`, below nodes in the context `outer`. Contexts of
    /// aliases and arguments do not contain the loops around them (see
    /// [`Frames::is_relative`](crate::tree::Frames::is_relative)): they are joined here.
    fn join(&mut self, outer: FrameId, own: FrameId) -> FrameId;

    /// Records a node at this line and column, both from 0; columns count Unicode scalar values. `frame` is the context
    /// of the node, as returned by [`Recorder::join`].
    fn record(&mut self, line: u32, column: u32, node: NodeId, part: Part, frame: FrameId);

    /// Records that the entry with this key, recorded before, ends on this line.
    fn end(&mut self, line: u32, key: NodeId);
}

/// A recorder that ignores all nodes.
#[derive(Clone, Copy, Debug)]
pub struct NoRecord;

impl Recorder for NoRecord {
    const ON: bool = false;

    fn join(&mut self, _: FrameId, own: FrameId) -> FrameId {
        own
    }

    fn record(&mut self, _: u32, _: u32, _: NodeId, _: Part, _: FrameId) {}

    fn end(&mut self, _: u32, _: NodeId) {}
}

/// A receiver of finished parts of the output, in order.
pub type Sink<'s> = &'s mut dyn FnMut(&str);

/// Most bytes that are held back before they go to the sink.
const CHUNK: usize = 1 << 16;

pub(crate) struct Out<'s, R> {
    text: String,
    sink: Sink<'s>,
    recorder: &'s mut R,
    line: u32,
    line_start: usize,
    /// Offset up to which characters of the unfinished line were counted, and their number.
    counted: (usize, u32),
    /// Offset up to which line breaks were counted.
    scanned: usize,
    drained: usize,
    /// Offset from which the next line break is searched: a line may be as long as the output.
    unbroken: usize,
    /// A block scalar at the end of the output, with the length of the output there.
    block_end: Option<(usize, BlockEnd)>,
}

/// The block scalar that was written last: the text behind it must not become a part of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockEnd {
    pub(crate) indent: usize,
    /// Set when the empty lines behind it belong to it: `|+`, `>+`.
    pub(crate) keeps_breaks: bool,
    /// Set when its text ends with a line break, which the output must keep.
    pub(crate) needs_break: bool,
}

impl<'s, R: Recorder> Out<'s, R> {
    pub(crate) fn new(sink: Sink<'s>, recorder: &'s mut R, size: usize) -> Out<'s, R> {
        Out {
            text: String::with_capacity(size.min(CHUNK + (CHUNK >> 2))),
            sink,
            recorder,
            line: 0,
            line_start: 0,
            counted: (0, 0),
            scanned: 0,
            drained: 0,
            unbroken: 0,
            block_end: None,
        }
    }

    pub(crate) fn position(&self) -> usize {
        self.drained + self.text.len()
    }

    /// Returns the output since byte `position`; `None` when some of it went to the sink.
    pub(crate) fn since(&self, position: usize) -> Option<&str> {
        self.text.get(position.checked_sub(self.drained)?..)
    }

    pub(crate) fn end_block(&mut self, end: BlockEnd) {
        self.block_end = Some((self.position(), end));
    }

    /// Returns the block scalar that ends here, once.
    pub(crate) fn take_block_end(&mut self) -> Option<BlockEnd> {
        let (at, end) = self.block_end.take()?;
        (at == self.position()).then_some(end)
    }

    pub(crate) fn is_behind_block(&self) -> bool {
        self.block_end.is_some_and(|(at, _)| at == self.position())
    }

    /// Returns `true` when a block scalar ends here to which empty lines would be added.
    pub(crate) fn is_at_kept_breaks(&self) -> bool {
        self.is_behind_block() && self.block_end.is_some_and(|(_, end)| end.keeps_breaks)
    }

    pub(crate) fn push(&mut self, text: &str) {
        if R::ON || text.len() < CHUNK {
            self.text.push_str(text);
        } else {
            self.push_long(text);
        }
    }

    /// Passes the whole lines of a long text to the sink. Positions in them are not counted.
    #[cold]
    fn push_long(&mut self, text: &str) {
        let end = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |at| at + 1);
        let (lines, rest) = text.split_at(end);
        if !lines.is_empty() {
            if !self.text.is_empty() {
                (self.sink)(&self.text);
            }
            (self.sink)(lines);
            self.drained += self.text.len() + lines.len();
            self.text.clear();
            self.unbroken = 0;
        }
        self.text.push_str(rest);
    }

    pub(crate) fn push_char(&mut self, c: char) {
        self.text.push(c);
    }

    pub(crate) fn spaces(&mut self, count: usize) {
        const SPACES: &str = "                                                                ";
        let mut left = count;
        while left > 0 {
            let now = left.min(SPACES.len());
            self.text.push_str(&SPACES[..now]);
            left -= now;
        }
    }

    pub(crate) fn text_mut(&mut self) -> &mut String {
        &mut self.text
    }

    pub(crate) fn trim_spaces(&mut self) {
        let len = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(len);
        self.scanned = self.scanned.min(len);
        self.unbroken = self.unbroken.min(len);
        if self.counted.0 > len {
            self.counted = (self.line_start.min(len), 0);
        }
    }

    pub(crate) fn trailing_spaces(&self) -> usize {
        self.text.len() - self.text.trim_end_matches([' ', '\t']).len()
    }

    /// Returns `true` when a comment may follow without a space: after spaces, quotes, brackets and commas.
    pub(crate) fn ends_token(&self) -> bool {
        self.ends_in_space() || self.text.ends_with(['"', '\'', ']', '}', '[', '{', ','])
    }

    /// Returns `true` when the line being written is empty or ends in a space.
    pub(crate) fn ends_in_space(&self) -> bool {
        self.text.as_bytes().last().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }

    pub(crate) fn enter(&mut self, tree: &Tree, outer: FrameId, node: NodeId) -> FrameId {
        if !R::ON {
            return outer;
        }
        let own = tree.frame_of(node);
        if own.is_none() { outer } else { self.recorder.join(outer, own) }
    }

    pub(crate) fn mark(&mut self, node: NodeId, part: Part, frame: FrameId) {
        if !R::ON {
            return;
        }
        self.count_lines();
        let (from, count) = if self.counted.0 >= self.line_start { self.counted } else { (self.line_start, 0) };
        let column = count + self.text[from..].chars().count() as u32;
        self.counted = (self.text.len(), column);
        self.recorder.record(self.line, column, node, part, frame);
    }

    pub(crate) fn end(&mut self, key: NodeId) {
        if R::ON {
            self.count_lines();
            self.recorder.end(self.line, key);
        }
    }

    fn count_lines(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.scanned;
        while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
            let end = at + found;
            // The CR of a CR LF does not end a line.
            if bytes[end] == b'\n' || bytes.get(end + 1).is_some_and(|&next| next != b'\n') {
                self.line += 1;
                self.line_start = end + 1;
            }
            at = end + 1;
        }
        self.scanned = self.text.len();
    }

    pub(crate) fn drain(&mut self) {
        if self.text.len() < CHUNK {
            return;
        }
        if R::ON {
            self.count_lines();
        }
        let found = memchr::memrchr(b'\n', &self.text.as_bytes()[self.unbroken..]);
        let end = found.map(|at| self.unbroken + at + 1);
        self.unbroken = self.text.len() - end.unwrap_or_default();
        let Some(end) = end else { return };
        (self.sink)(&self.text[..end]);
        self.drained += end;
        self.text.drain(..end);
        self.line_start = 0;
        self.counted = (self.counted.0.saturating_sub(end), if self.counted.0 >= end { self.counted.1 } else { 0 });
        self.scanned = self.scanned.saturating_sub(end);
    }

    pub(crate) fn finish(self) {
        if !self.text.is_empty() {
            (self.sink)(&self.text);
        }
    }
}
