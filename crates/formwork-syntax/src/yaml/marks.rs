//! Byte order marks, which are characters only inside quotes.

use std::ops::Range;

use formwork_base::{Diagnostic, Span, codes};

pub(super) const MARK: char = '\u{feff}';

pub(super) fn find(source: &str) -> Vec<usize> {
    memchr::memmem::find_iter(source.as_bytes(), MARK.encode_utf8(&mut [0; 3]).as_bytes()).collect()
}

#[derive(Default)]
pub(super) struct Marks<'r> {
    all: &'r [usize],
    passed: usize,
    outside: Vec<usize>,
}

impl<'r> Marks<'r> {
    pub(super) fn new(all: &'r [usize]) -> Marks<'r> {
        Marks { all, ..Marks::default() }
    }

    /// Passes a quoted string, and the text before it.
    pub(super) fn pass_quoted(&mut self, range: Range<usize>) {
        while let Some(&mark) = self.all.get(self.passed).filter(|mark| **mark < range.end) {
            if mark < range.start {
                self.outside.push(mark);
            }
            self.passed += 1;
        }
    }

    /// Returns the number of passed marks, and the number of those outside quotes.
    pub(super) fn position(&self) -> (usize, usize) {
        (self.passed, self.outside.len())
    }

    /// Removes and returns the passed marks outside quotes.
    pub(super) fn take_outside(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.outside)
    }

    /// Returns to a position of a reading that had found `outside`.
    pub(super) fn go_to(&mut self, (passed, count): (usize, usize), mut outside: Vec<usize>) {
        outside.truncate(count);
        (self.passed, self.outside) = (passed, outside);
    }

    /// Returns the marks outside quotes in the whole text.
    pub(super) fn outside(&self) -> impl Iterator<Item = usize> {
        self.outside.iter().chain(&self.all[self.passed..]).copied()
    }
}

pub(super) fn error(span: Span) -> Diagnostic {
    Diagnostic::new(codes::BAD_ENCODING, "a byte order mark is in the middle of the file, outside a quoted string")
        .at(span)
        .note("readers disagree: some keep it as an invisible character")
        .help("remove it")
}
