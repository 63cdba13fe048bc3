//! Resumption of the reading of a broken file.
//!
//! `granit-parser` cannot continue after an error, and its state cannot be copied. So the general reader remembers the
//! lines that begin with a key, and the state of the builder before them. After an error a new parser reads the text
//! from the last of these lines on, behind a skeleton: keys and dashes that open the same collections at the same
//! columns.

use std::ops::Range;

use granit_parser::{Event, Span};

use super::builder::{Broken, Builder, Collections, Open};
use super::checkpoint::Checkpoint;
use super::marks::MARK;
use crate::tree::Style;

/// The state of a builder that is kept when its text changes.
pub(super) struct Kept {
    checkpoint: Checkpoint,
    checkpoints: Vec<Checkpoint>,
    open: Collections,
    outside: Vec<usize>,
}

pub(super) enum End {
    /// The end of the text, or a cancellation.
    Whole,
    Broken(Box<Broken>),
    /// The parser does not see the same tokens as before: the text has to be read from its start.
    Lost,
}

pub(super) struct Start {
    pub(super) at: usize,
    /// Start of the line behind the skeleton; of the text without one.
    pub(super) line: usize,
    key: usize,
    opens: usize,
}

impl Start {
    pub(super) const OF_TEXT: Start = Start { at: 0, line: 0, key: 0, opens: 0 };

    /// Passes an event of the skeleton. Returns `false` for those behind it, `None` when they differ from the earlier
    /// ones.
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
    /// Remembers the state before a key at `key`, if it begins its line. Anchors are not kept.
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

    pub(super) fn leave_checkpoints(&mut self, depth: usize) {
        while self.checkpoints.last().is_some_and(|last| last.depth > depth) {
            self.checkpoints.pop();
        }
    }

    /// Returns the state that is kept for a reading with a text that is changed from `from` on; `is_lost` is `true`
    /// when the line of `from` is left out. `None` when the text has to be read from the start.
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

/// The input of a parser: the author's text, with a skeleton before a checkpoint.
pub(super) struct Feed {
    text: String,
    skeleton: Range<usize>,
}

impl Feed {
    pub(super) fn new(text: &str) -> Feed {
        Feed { text: text.to_owned(), skeleton: 0..0 }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn replace(&mut self, range: Range<usize>, with: &str) {
        self.text.replace_range(range, with);
    }

    pub(super) fn show_all(&mut self, text: &str) {
        let skeleton = std::mem::replace(&mut self.skeleton, 0..0);
        self.text.replace_range(skeleton.clone(), &text[skeleton]);
    }

    /// Writes the skeleton before the checkpoint of `kept`; returns `None` when it has no room or is not possible.
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

/// Returns keys and dashes that open collections at the columns where they are open in `text`; the last of them, a
/// mapping at `column`, waits for its next key.
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

/// Returns the start of the line of an offset, and the column, if only `allowed` bytes are before it.
fn line_of(text: &str, at: usize, allowed: &[u8]) -> Option<(usize, usize)> {
    let before = text.as_bytes().get(..at)?;
    let blank = before.iter().rev().take_while(|byte| allowed.contains(byte)).count();
    let line = at - blank;
    (line == 0 || matches!(before[line - 1], b'\n' | b'\r')).then_some((line, blank))
}

/// Returns `true` when a text has directives, which apply to all of it.
pub(super) fn has_directives(text: &str) -> bool {
    text.starts_with('%') || memchr::memmem::find(text.as_bytes(), b"\n%").is_some()
}
