//! Byte order marks, which are characters inside of quotes alone.

use std::ops::Range;

use formwork_base::{Diagnostic, Span, codes};

/// The byte order mark.
pub(super) const MARK: char = '\u{feff}';

/// The offsets of all byte order marks of a text.
pub(super) fn find(source: &str) -> Vec<usize> {
    memchr::memmem::find_iter(source.as_bytes(), MARK.encode_utf8(&mut [0; 3]).as_bytes()).collect()
}

/// The byte order marks of a text, as far as it was read.
#[derive(Default)]
pub(super) struct Marks<'r> {
    all: &'r [usize],
    /// How many of them were passed.
    passed: usize,
    /// Those of them that are outside of quotes.
    outside: Vec<usize>,
}

impl<'r> Marks<'r> {
    pub(super) fn new(all: &'r [usize]) -> Marks<'r> {
        Marks { all, ..Marks::default() }
    }

    /// Passes a quoted string, and what is in front of it.
    pub(super) fn pass_quoted(&mut self, range: Range<usize>) {
        while let Some(&mark) = self.all.get(self.passed).filter(|mark| **mark < range.end) {
            if mark < range.start {
                self.outside.push(mark);
            }
            self.passed += 1;
        }
    }

    /// How far it is: how many were passed, and how many of them were outside of quotes.
    pub(super) fn position(&self) -> (usize, usize) {
        (self.passed, self.outside.len())
    }

    /// Those outside of quotes, as far as the text was read.
    pub(super) fn take_outside(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.outside)
    }

    /// Goes to a position of a reading that had found `outside`.
    pub(super) fn go_to(&mut self, (passed, count): (usize, usize), mut outside: Vec<usize>) {
        outside.truncate(count);
        (self.passed, self.outside) = (passed, outside);
    }

    /// Those outside of quotes in the whole text.
    pub(super) fn outside(&self) -> impl Iterator<Item = usize> {
        self.outside.iter().chain(&self.all[self.passed..]).copied()
    }
}

/// The error about a byte order mark that is outside a quoted string.
pub(super) fn error(span: Span) -> Diagnostic {
    Diagnostic::new(codes::BAD_ENCODING, "a byte order mark is in the middle of the file, outside a quoted string")
        .at(span)
        .note("readers disagree: some keep it as an invisible character")
        .help("remove it")
}
