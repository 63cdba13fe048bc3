//! Lines and columns of a file's text.

/// The offsets at which the lines of one file begin. A line ends at LF, CR LF or CR (reference/diagnostics.md#places).
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Byte offset of each line's first character.
    starts: Vec<u32>,
    /// Characters of more than one byte, in order; empty for ASCII.
    wide: Vec<Wide>,
}

/// A character of more than one byte.
#[derive(Clone, Copy, Debug)]
struct Wide {
    end: u32,
    /// Bytes minus Unicode scalar values of the text up to `end`.
    scalars: u32,
    /// Bytes minus UTF-16 code units of the text up to `end`.
    utf16: u32,
}

impl Wide {
    fn surplus(self, unit: ColumnUnit) -> u32 {
        match unit {
            ColumnUnit::Utf8 => 0,
            ColumnUnit::Utf16 => self.utf16,
            ColumnUnit::Scalar => self.scalars,
        }
    }
}

/// The unit of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColumnUnit {
    /// Bytes of UTF-8, as Rust strings do.
    Utf8,
    /// Code units of UTF-16, as the language server protocol, JavaScript and Java do.
    Utf16,
    /// Unicode scalar values, as Python and Formwork's own messages do.
    Scalar,
}

impl ColumnUnit {
    /// Returns the number of units of a character.
    pub fn width(self, c: char) -> u32 {
        match self {
            ColumnUnit::Utf8 => c.len_utf8() as u32,
            ColumnUnit::Utf16 => c.len_utf16() as u32,
            ColumnUnit::Scalar => 1,
        }
    }
}

/// A line and a column, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in the requested unit.
    pub column: u32,
}

impl LineIndex {
    /// Scans `text` once.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        // Most lines have a few words of eight bytes: looking at each word is quicker than a search for each line.
        let (words, rest) = bytes.as_chunks::<8>();
        let mut starts = vec![0];
        let mut end_line = |at: usize| {
            if bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        };
        for (number, word) in words.iter().enumerate() {
            let mut breaks = breaks(u64::from_le_bytes(*word));
            while breaks != 0 {
                end_line(8 * number + breaks.trailing_zeros() as usize / 8);
                breaks &= breaks - 1;
            }
        }
        (bytes.len() - rest.len()..bytes.len()).for_each(end_line);
        LineIndex { starts, wide: wide(text) }
    }

    /// Returns the zero-based line of the byte at `offset`; the last line for offsets after the end.
    pub fn line(&self, offset: u32) -> u32 {
        match self.starts.binary_search(&offset) {
            Ok(line) => line as u32,
            Err(next) => next as u32 - 1,
        }
    }

    /// Returns the byte offset of the beginning of the zero-based `line`.
    pub fn line_start(&self, line: u32) -> u32 {
        self.starts[line as usize]
    }

    /// Returns the number of lines; a text that ends in a line break has an empty last one.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Returns line and column of the byte at `offset`, both from 1; columns count Unicode scalar values.
    pub fn line_column(&self, text: &str, offset: u32) -> (u32, u32) {
        let LineColumn { line, column } = self.position(text, offset, ColumnUnit::Scalar);
        (line + 1, column + 1)
    }

    /// Returns line and column of the byte at `offset`, both from 0. An offset inside a character is the character's
    /// own place; one after the end of the text is the end.
    pub fn position(&self, text: &str, offset: u32, unit: ColumnUnit) -> LineColumn {
        let end = floor_char_boundary(text, offset as usize);
        let line = self.line(end as u32);
        let (start, end) = (self.line_start(line), end as u32);
        LineColumn { line, column: end - start - (self.surplus(end, unit) - self.surplus(start, unit)) }
    }

    /// Returns by how many the bytes up to an offset exceed the units.
    fn surplus(&self, offset: u32, unit: ColumnUnit) -> u32 {
        let before = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide[..before].last().map_or(0, |wide| wide.surplus(unit))
    }

    /// Returns the byte offset of a line and column, the inverse of [`LineIndex::position`]. A column after the end of
    /// its line is the end of the line, before its line break; one inside a character is the character's start; a line
    /// after the last one is the end of the text.
    pub fn offset(&self, text: &str, position: LineColumn, unit: ColumnUnit) -> u32 {
        if position.line >= self.line_count() {
            return text.len() as u32;
        }
        let start = self.line_start(position.line);
        let rest = text.as_bytes().get(start as usize..).unwrap_or_default();
        let end = start + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()) as u32;
        let before = self.surplus(start, unit);
        let column_of = |wide: &Wide| u64::from(wide.end - start - (wide.surplus(unit) - before));
        let column = u64::from(position.column);
        // Characters of this line whose end is at the column or in front of it.
        let first = self.wide.partition_point(|wide| wide.end <= start);
        let passed = first + self.wide[first..].partition_point(|wide| column_of(wide) <= column);
        let surplus = self.wide[first..passed].last().map_or(0, |wide| wide.surplus(unit) - before);
        let offset = u64::from(start) + column + u64::from(surplus);
        match self.wide.get(passed) {
            Some(next) if offset < u64::from(next.end) && next.end <= end => {
                floor_char_boundary(text, offset as usize) as u32
            }
            _ => offset.min(u64::from(end)) as u32,
        }
    }
}

/// Sets the highest bit of each of eight bytes that is LF or CR.
fn breaks(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const LOW: u64 = ONES * 0x7f;
    // Most words have no control character. A byte borrows from the next one only when it is one itself.
    if word.wrapping_sub(ONES * 0x20) & !word & !LOW == 0 {
        return 0;
    }
    let is = |byte: u8| {
        let other = word ^ (ONES * u64::from(byte));
        !(((other & LOW) + LOW) | other | LOW)
    };
    is(b'\n') | is(b'\r')
}

/// Returns the characters of more than one byte. They are few in most files, and ASCII is passed eight bytes at a time.
fn wide(text: &str) -> Vec<Wide> {
    let mut wide = Vec::new();
    let (mut at, mut scalars, mut utf16) = (0, 0, 0);
    loop {
        at += ascii_len(&text.as_bytes()[at..]);
        let Some(c) = text[at..].chars().next() else { return wide };
        let len = c.len_utf8();
        at += len;
        scalars += len as u32 - 1;
        utf16 += (len - c.len_utf16()) as u32;
        wide.push(Wide { end: at as u32, scalars, utf16 });
    }
}

/// Returns the number of leading ASCII bytes.
fn ascii_len(bytes: &[u8]) -> usize {
    const HIGH: u64 = u64::MAX / 255 * 0x80;
    let words = bytes.as_chunks::<8>().0;
    let ascii = 8 * words.iter().take_while(|word| u64::from_le_bytes(**word) & HIGH == 0).count();
    ascii + bytes[ascii..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the nearest character boundary at or before `offset`.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod columns;
#[cfg(test)]
mod tests {
    use super::*;

    const UNITS: [ColumnUnit; 3] = [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Scalar];

    #[test]
    fn every_kind_of_line_break_ends_a_line() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..text.len() as u32).map(|at| index.line_column(text, at)).collect();
        assert_eq!(lines, [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)]);
    }

    #[test]
    fn every_line_break_is_found_wherever_it_is() {
        for line_break in ["\n", "\r", "\r\n"] {
            for at in 0..40 {
                let text = format!("{}{line_break}{}", "é\tx".repeat(at), "y\u{7f}".repeat(40 - at));
                assert_eq!(LineIndex::new(&text).starts, [0, (4 * at + line_break.len()) as u32], "{text:?}");
            }
        }
    }

    #[test]
    fn columns_count_characters() {
        let text = "é: x";
        assert_eq!(LineIndex::new(text).line_column(text, 4), (1, 4));
    }

    #[test]
    fn columns_count_what_is_asked_for() {
        // A byte order mark, a character of two bytes, one of four bytes and two UTF-16 units, a letter.
        let text = "\u{feff}é😀x";
        let index = LineIndex::new(text);
        let at = text.find('x').expect("there") as u32;
        let columns = UNITS.map(|unit| index.position(text, at, unit).column);
        assert_eq!(columns, [9, 4, 3]);
        assert_eq!(index.offset(text, LineColumn { line: 0, column: 3 }, ColumnUnit::Utf16), 5, "inside the emoji");
        assert_eq!(index.position(text, 7, ColumnUnit::Utf16).column, 2, "inside the emoji");
    }

    #[test]
    fn every_place_is_the_one_that_counting_finds() {
        let text = "aé😀b\n\u{feff}x\r\nüü😀\n\n日本 c\rd é";
        let index = LineIndex::new(text);
        for unit in UNITS {
            let (mut line, mut column) = (0, 0);
            for (at, c) in text.char_indices() {
                let place = LineColumn { line, column };
                assert_eq!(index.position(text, at as u32, unit), place, "{unit:?} {at}");
                let is_behind_return = c == '\n' && text[..at].ends_with('\r');
                if !is_behind_return {
                    for inside in 0..unit.width(c) {
                        let column = column + inside;
                        assert_eq!(index.offset(text, LineColumn { line, column }, unit), at as u32, "{unit:?} {at}");
                    }
                }
                column += unit.width(c);
                if c == '\n' || c == '\r' && !text[at + 1..].starts_with('\n') {
                    (line, column) = (line + 1, 0);
                }
            }
            for line in 0..index.line_count() {
                let end = text[index.line_start(line) as usize..].find(['\n', '\r']);
                let end = end.map_or(text.len(), |len| index.line_start(line) as usize + len);
                for column in 20..40 {
                    assert_eq!(index.offset(text, LineColumn { line, column }, unit), end as u32);
                }
            }
        }
    }

    #[test]
    fn places_behind_the_end_are_the_end() {
        let text = "ab\r\ncd";
        let index = LineIndex::new(text);
        let offset = |line, column| index.offset(text, LineColumn { line, column }, ColumnUnit::Utf16);
        assert_eq!([offset(0, 99), offset(1, 99), offset(2, 0)], [2, 6, 6]);
        assert_eq!(index.position(text, 99, ColumnUnit::Utf8), LineColumn { line: 1, column: 2 });
    }
}
