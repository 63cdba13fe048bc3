//! Reuse of text that is written for each iteration of a loop: the output of a part of it depends on the part and the
//! shift alone, so that it is computed once.

use formwork_base::Span;

use super::segments::{Group, Runs, Segment};
use super::{Context, Editor};
use crate::tree::{NodeId, flags};
use crate::write::copies::{Copy, Key};
use crate::write::out::Recorder;

#[derive(Clone, Copy)]
pub(super) enum Piece {
    Node(NodeId),
    Gap(Span),
    /// From the text above an entry to the end of its key, or of its value or that of a later entry: unchanged authored
    /// text.
    Members(Span),
}

impl<R: Recorder> Editor<'_, '_, R> {
    /// Enters text that is written for so many entries, and returns `true` when it was repeated before.
    pub(super) fn repeat(&mut self, members: usize) -> bool {
        let outer = self.repeats;
        self.repeats |= members > 1;
        outer
    }

    /// Writes a part of the text, or copies its earlier output. `write` only appends to the output, independent of the
    /// text before it.
    pub(super) fn repeated(&mut self, piece: Piece, context: Context, write: impl FnOnce(&mut Self)) {
        let Some(key) = self.key_of(piece, context) else { return write(self) };
        let keeps = match self.copies.get(key) {
            Copy::Known(text) => return self.out.push(text),
            Copy::Keep => true,
            Copy::Write => false,
        };
        let start = self.out.position();
        write(self);
        if keeps && let Some(text) = self.out.since(start) {
            self.copies.keep(key, text);
        }
    }

    /// Returns `true` when entries may be copied together with the text around them: the text behind a block scalar
    /// depends on its place.
    pub(super) fn repeats_members(&self, context: Context) -> bool {
        self.repeats
            && !R::ON
            && !context.comments
            && !self.has_blocks
            && self.cuts.is_empty()
            && !self.out.is_behind_block()
    }

    pub(super) fn is_unchanged(&self, unit: &Segment, group: &Group<'_>) -> bool {
        group.members == [unit.entry()] && group.foreign.is_empty() && !self.tree.has(unit.value, flags::EDITED)
    }

    /// Returns the number of unchanged units at the beginning, whose groups are taken from `groups`.
    pub(super) fn unchanged(&self, units: &[Segment], groups: &mut Runs<'_>) -> usize {
        let mut count = 0;
        for unit in units {
            let mut next = groups.clone();
            if !next.next().is_some_and(|group| self.is_unchanged(unit, &group)) {
                break;
            }
            *groups = next;
            count += 1;
        }
        count
    }

    /// Returns the key of a part of a loop's body. A recorder receives every node, and comments are written once.
    fn key_of(&self, piece: Piece, context: Context) -> Option<Key> {
        if !self.repeats || R::ON || context.comments || !self.cuts.is_empty() {
            return None;
        }
        let shift = u64::from(i16::try_from(context.shift).ok()? as u16);
        Some(match piece {
            Piece::Node(node) => (node.index() as u32, shift),
            Piece::Gap(span) => (span.start(), u64::from(span.end()) << 32 | 1 << 16 | shift),
            Piece::Members(span) => (span.start(), u64::from(span.end()) << 32 | 2 << 16 | shift),
        })
    }
}
