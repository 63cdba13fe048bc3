//! Lines and columns of a text.

/// Where the lines of one text begin. A line ends at LF, CR LF or CR (reference/diagnostics.md#places).
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Byte offset of each line's first character.
    starts: Vec<u32>,
}

impl LineIndex {
    /// Scans `text` once.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'\n' => starts.push(at as u32 + 1),
                b'\r' if bytes.get(at + 1) != Some(&b'\n') => starts.push(at as u32 + 1),
                _ => {}
            }
            at += 1;
        }
        LineIndex { starts }
    }

    /// Zero-based line that holds the byte at `offset`; the last line for offsets behind the end.
    pub fn line(&self, offset: u32) -> u32 {
        match self.starts.binary_search(&offset) {
            Ok(line) => line as u32,
            Err(next) => next as u32 - 1,
        }
    }

    /// Byte offset at which the zero-based `line` begins.
    pub fn line_start(&self, line: u32) -> u32 {
        self.starts[line as usize]
    }

    /// Number of lines; a text that ends in a line break has an empty last one.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Line and column of the byte at `offset`, both from 1; columns count Unicode scalar values.
    pub fn line_column(&self, text: &str, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.line_start(line) as usize;
        let end = floor_char_boundary(text, offset as usize);
        let column = text.get(start..end).map_or(0, |before| before.chars().count());
        (line + 1, column as u32 + 1)
    }
}

/// The nearest character boundary at or before `offset`.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_break_ends_a_line() {
        let text = "a\nb\r\nc\rd";
        let index = LineIndex::new(text);
        let lines: Vec<_> = (0..text.len() as u32).map(|at| index.line_column(text, at)).collect();
        assert_eq!(lines, [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "é: x";
        assert_eq!(LineIndex::new(text).line_column(text, 4), (1, 4));
    }
}
