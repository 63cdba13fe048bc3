//! Taking up the reading of a broken text behind what was read of it.
//!
//! `granit-parser` cannot go on after an error, and its state cannot be copied. So the general reader remembers
//! where lines begin with a key, and what it had built until then. After an error a new parser gets the text from the
//! last of these lines on, behind a skeleton: keys and dashes that open the same collections at the same columns.

use std::ops::Range;

use granit_parser::{Event, Span};

use super::builder::{Broken, Builder, Collections, Open};
use super::checkpoint::Checkpoint;
use super::marks::MARK;
use crate::tree::Style;

/// What of a builder is kept when its text changes.
pub(super) struct Kept {
    checkpoint: Checkpoint,
    checkpoints: Vec<Checkpoint>,
    open: Collections,
    outside: Vec<usize>,
}

/// How a reading ended.
pub(super) enum End {
    /// At the end of the text, or because nobody waits for it.
    Whole,
    /// At an error.
    Broken(Box<Broken>),
    /// The parser does not see what it saw before: the text is to be read from its start.
    Lost,
}

/// Where a parser begins.
pub(super) struct Start {
    /// The offset of its first byte.
    pub(super) at: usize,
    /// The line behind the skeleton; the start of the text without one.
    pub(super) line: usize,
    /// Where the first key is.
    key: usize,
    /// How many collections the skeleton and the key open.
    opens: usize,
}

impl Start {
    /// The start of a text.
    pub(super) const OF_TEXT: Start = Start { at: 0, line: 0, key: 0, opens: 0 };

    /// Passes an event of the skeleton. False for those behind it; `None` when they are not as they were.
    pub(super) fn passes(&mut self, event: &Event<'_>, span: &Span) -> Option<bool> {
        if self.opens > 0 {
            self.opens -= usize::from(matches!(event, Event::SequenceStart(..) | Event::MappingStart(..)));
            return Some(true);
        }
        if self.key > 0 {
            let at = span.byte_range().map(|range| self.at + range.start);
            if !matches!(event, Event::Scalar(..)) || at != Some(self.key) {
                return None;
            }
            self.key = 0;
        }
        Some(false)
    }
}

impl Builder<'_> {
    /// Remembers the state in front of a key at `key`, if it begins its line. Anchors are not carried over.
    pub(super) fn note_checkpoint(&mut self, key: usize) {
        let is_block = self.open.stack.last().is_some_and(|open| open.style == Style::Plain) && self.expects_key();
        if !is_block || !self.anchors.is_empty() {
            return;
        }
        let Some((line, _)) = line_of(self.text, key, b" ") else { return };
        if self.text[key..].starts_with(MARK) {
            return;
        }
        let depth = self.open.stack.len();
        self.leave_checkpoints(depth);
        // The line of the last one may be the broken one.
        if let [.., before, last] = self.checkpoints.as_slice()
            && before.depth == depth
            && last.depth == depth
        {
            self.checkpoints.remove(self.checkpoints.len() - 2);
        }
        self.checkpoints.push(Checkpoint {
            line,
            key,
            depth,
            entries: self.open.entries.len(),
            items: self.open.items.len(),
            size: self.size,
            seen: self.quoted.seen,
            cursor: self.cursor,
            marks: self.marks.position(),
            found: self.diagnostics.len(),
        });
    }

    /// Forgets the checkpoints of collections deeper than those that are open.
    pub(super) fn leave_checkpoints(&mut self, depth: usize) {
        while self.checkpoints.last().is_some_and(|last| last.depth > depth) {
            self.checkpoints.pop();
        }
    }

    /// What is kept for a reading with a text that is changed from `from` on; `is_lost` is whether the line of
    /// `from` is left out. `None` when it is to be read from the start.
    pub(super) fn keep(&mut self, from: usize, is_lost: bool) -> Option<Kept> {
        let fits = |one: &Checkpoint| if is_lost { one.line < from } else { one.line <= from };
        while !fits(self.checkpoints.last()?) {
            self.checkpoints.pop();
        }
        let checkpoint = self.checkpoints.pop()?;
        self.diagnostics.truncate(checkpoint.found);
        Some(Kept {
            checkpoint,
            checkpoints: std::mem::take(&mut self.checkpoints),
            open: std::mem::take(&mut self.open),
            outside: self.marks.take_outside(),
        })
    }

    /// Takes up a reading.
    pub(super) fn take_up(&mut self, kept: Kept) {
        let Kept { checkpoint, checkpoints, mut open, outside } = kept;
        open.stack.truncate(checkpoint.depth);
        open.items.truncate(checkpoint.items);
        open.entries.truncate(checkpoint.entries);
        if let Some(innermost) = open.stack.last_mut() {
            innermost.key = None;
        }
        (self.open, self.checkpoints) = (open, checkpoints);
        (self.size, self.quoted.seen, self.cursor) = (checkpoint.size, checkpoint.seen, checkpoint.cursor);
        self.marks.go_to(checkpoint.marks, outside);
    }
}

/// The text that a parser gets: the author's, with a skeleton in the place of what is in front of a checkpoint.
pub(super) struct Feed {
    text: String,
    /// Where it is not the author's.
    skeleton: Range<usize>,
}

impl Feed {
    pub(super) fn new(text: &str) -> Feed {
        Feed { text: text.to_owned(), skeleton: 0..0 }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Replaces a part by something of the same length.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str) {
        self.text.replace_range(range, with);
    }

    /// Shows the author's `text` from its start.
    pub(super) fn show_all(&mut self, text: &str) {
        let skeleton = std::mem::replace(&mut self.skeleton, 0..0);
        self.text.replace_range(skeleton.clone(), &text[skeleton]);
    }

    /// Puts the skeleton in front of where `kept` is taken up; `None` when it has no room or is not possible.
    pub(super) fn show_from(&mut self, text: &str, kept: &Kept) -> Option<Start> {
        self.show_all(text);
        let Checkpoint { line, key, depth, .. } = kept.checkpoint;
        let skeleton = skeleton(text, kept.open.stack.get(..depth)?, key - line)?;
        let wanted = line.checked_sub(skeleton.len())?;
        let at = (0..=wanted).rev().find(|&at| text.is_char_boundary(at))?;
        let skeleton = "\n".repeat(wanted - at) + &skeleton;
        self.text.replace_range(at..line, &skeleton);
        self.skeleton = at..line;
        Some(Start { at, line, key, opens: depth })
    }
}

/// Keys and dashes that open collections at the columns where they are open in `text`; the last of them, a mapping
/// at `column`, is left to its next key.
fn skeleton(text: &str, stack: &[Open], column: usize) -> Option<String> {
    let mut skeleton = String::new();
    for (at, open) in stack.iter().enumerate() {
        let (_, own) = line_of(text, open.start, b" -")?;
        let is_last = at + 1 == stack.len();
        let is_plain = open.style == Style::Plain && open.tag.is_none() && open.anchor == 0;
        if !is_plain || is_last && own != column || !is_last && open.is_map && open.key.is_none() {
            return None;
        }
        if !is_last {
            skeleton.extend(std::iter::repeat_n(' ', own));
            skeleton.push_str(if open.is_map { "a:\n" } else { "-\n" });
        }
    }
    Some(skeleton)
}

/// The start of the line of an offset, and the column, if only `allowed` bytes are in front of it.
fn line_of(text: &str, at: usize, allowed: &[u8]) -> Option<(usize, usize)> {
    let before = text.as_bytes().get(..at)?;
    let blank = before.iter().rev().take_while(|byte| allowed.contains(byte)).count();
    let line = at - blank;
    (line == 0 || matches!(before[line - 1], b'\n' | b'\r')).then_some((line, blank))
}

/// Whether a text has directives, which apply to all of it.
pub(super) fn has_directives(text: &str) -> bool {
    text.starts_with('%') || memchr::memmem::find(text.as_bytes(), b"\n%").is_some()
}
