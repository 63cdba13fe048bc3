//! Byte ranges in the position space of a session.

/// A half-open range of bytes in the one 32-bit position space that all files of a session share
/// (see [`SourceMap`](crate::SourceMap)). Position 0 belongs to no file, so `Span::NONE` needs no
/// extra tag and a span stays eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The span of everything that is in no file, such as a value passed on the command line.
    pub const NONE: Span = Span { start: 0, end: 0 };

    /// Returns the span from `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Span {
        debug_assert!(start <= end, "span {start}..{end} runs backwards");
        Span { start, end }
    }

    /// Returns the first byte.
    pub fn start(self) -> u32 {
        self.start
    }

    /// Returns one past the last byte.
    pub fn end(self) -> u32 {
        self.end
    }

    /// Returns the length in bytes.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns `true` when the span covers no byte. An empty span still has a place.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns `true` when the span is in no file.
    pub fn is_none(self) -> bool {
        self.start == 0
    }

    /// Returns `true` when `other` is inside, ends included.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the smallest span that covers both; the other one when one is [`Span::NONE`].
    #[must_use]
    pub fn join(self, other: Span) -> Span {
        if self.is_none() {
            other
        } else if other.is_none() {
            self
        } else {
            Span::new(self.start.min(other.start), self.end.max(other.end))
        }
    }

    /// Returns the same part of a file that begins `by` positions later. [`Span::NONE`] is not moved.
    #[must_use]
    pub fn shifted(self, by: u32) -> Span {
        if self.is_none() { self } else { Span::new(self.start + by, self.end + by) }
    }

    /// Returns the empty span at the start.
    #[must_use]
    pub fn at_start(self) -> Span {
        Span::new(self.start, self.start)
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_ignores_empty_spans() {
        let a = Span::new(3, 5);
        assert_eq!(a.join(Span::NONE), a);
        assert_eq!(Span::NONE.join(a), a);
        assert_eq!(a.join(Span::new(1, 4)), Span::new(1, 5));
    }

    #[test]
    fn contains_its_ends() {
        let outer = Span::new(2, 9);
        assert!(outer.contains(Span::new(2, 9)));
        assert!(outer.contains(Span::new(9, 9)));
        assert!(!outer.contains(Span::new(8, 10)));
    }
}
