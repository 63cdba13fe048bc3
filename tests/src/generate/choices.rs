//! Decisions, made by bytes.

/// Takes one byte per decision; when none is left every decision is the first, the simplest.
#[derive(Debug)]
pub struct Choices<'b> {
    bytes: &'b [u8],
    /// What may still be made, so that the size is bound.
    pub left: usize,
}

impl<'b> Choices<'b> {
    /// Decisions by these bytes.
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes, left: 400 }
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let Some((&byte, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(byte) % count.max(1)
    }

    /// True in one of `count` cases; never when nothing is left to decide by.
    pub fn one_in(&mut self, count: usize) -> bool {
        !self.bytes.is_empty() && self.below(count) == count - 1
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
