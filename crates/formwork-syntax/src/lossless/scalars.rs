//! Ends of scalars.

use super::reader::Reader;

impl Reader<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// Returns whether white space, or in brackets what separates entries, is at an offset.
    pub(super) fn is_separated(&self, at: usize) -> bool {
        match self.byte(at) {
            None | Some(b' ' | b'\t' | b'\n' | b'\r') => true,
            Some(b',' | b'[' | b']' | b'{' | b'}') => self.is_in_brackets(),
            _ => false,
        }
    }

    pub(super) fn line_end(&self, at: usize) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.bytes[at..]).map_or(self.bytes.len(), |len| at + len)
    }

    /// Where the line behind the one that ends at `end` begins; `None` if no line ends there.
    fn next_line(&self, end: usize) -> Option<usize> {
        match self.bytes.get(end..)? {
            [b'\r', b'\n', ..] => Some(end + 2),
            [b'\r' | b'\n', ..] => Some(end + 1),
            _ => None,
        }
    }

    fn behind_blanks(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }

    fn spaces(&self, at: usize) -> usize {
        self.bytes[at..].iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Returns whether the mark of a document's start or end is at an offset, the start of a line.
    pub(super) fn is_document_mark(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        (rest.starts_with(b"---") || rest.starts_with(b"...")) && rest.get(3).is_none_or(u8::is_ascii_whitespace)
    }

    /// The end of a tag, an anchor or an alias.
    pub(super) fn word_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let is_verbatim = rest.starts_with(b"!<");
        let is_end = |byte: &u8| match byte {
            b' ' | b'\t' | b'\n' | b'\r' => true,
            b',' | b'[' | b']' | b'{' | b'}' => !is_verbatim,
            _ => false,
        };
        self.at + rest.iter().position(is_end).unwrap_or(rest.len())
    }

    /// Where the text of a plain scalar ends in the line of `from`, where it may begin, and whether a key does.
    fn plain_line(&self, from: usize) -> (usize, bool) {
        let (mut at, in_brackets) = (from, self.is_in_brackets());
        let is_key = loop {
            match self.byte(at) {
                None | Some(b'\n' | b'\r') => break false,
                Some(b':') if self.is_separated(at + 1) => break true,
                Some(b'#') if at > from && self.bytes[at - 1].is_ascii_whitespace() => break false,
                Some(b',' | b'[' | b']' | b'{' | b'}') if in_brackets => break false,
                _ => at += 1,
            }
        };
        (from + self.text[from..at].trim_end_matches([' ', '\t']).len(), is_key)
    }

    /// The end of a plain scalar.
    pub(super) fn plain_end(&self) -> usize {
        let (mut end, is_key) = self.plain_line(self.at);
        // A mark may be alone.
        end = end.max(self.at + self.text[self.at..].chars().next().map_or(0, char::len_utf8));
        if is_key {
            return end;
        }
        let least = self.block_column().map_or(0, |column| column + 1);
        let in_brackets = self.is_in_brackets();
        let mut line = self.behind_blanks(end);
        while let Some(next) = self.next_line(line) {
            let start = self.behind_blanks(next);
            line = start;
            if matches!(self.byte(start), None | Some(b'\n' | b'\r')) {
                continue;
            }
            let (behind, is_key) = self.plain_line(start);
            let is_next = if in_brackets {
                self.is_broken && self.is_outer_key(start)
            } else {
                is_key || self.spaces(next) < least
            };
            if is_next || behind == start || self.bytes[start] == b'#' || self.is_document_mark(next) {
                break;
            }
            end = behind;
            line = self.behind_blanks(end);
        }
        end
    }

    /// The end of a scalar in quotes.
    pub(super) fn quoted_end(&self) -> usize {
        let (quote, mut at, mut cut) = (self.bytes[self.at], self.at + 1, None);
        let is_closed = loop {
            match self.byte(at) {
                None => break false,
                Some(b'\\') if quote == b'"' && at + 1 < self.bytes.len() => at += 1,
                Some(byte) if byte == quote => {
                    if quote == b'"' || self.byte(at + 1) != Some(quote) {
                        break true;
                    }
                    at += 1;
                }
                Some(b'\n' | b'\r') if self.is_document_mark(at + 1) => {
                    cut = cut.or(Some(at));
                    break false;
                }
                Some(b'\n') if cut.is_none() && (self.is_in_brackets() || self.is_cut(at)) => cut = Some(at),
                _ => {}
            }
            at += 1;
            while !self.text.is_char_boundary(at) {
                at += 1;
            }
        };
        let end = (at + usize::from(is_closed)).min(self.bytes.len());
        let Some(cut) = cut else { return end };
        let behind = self.text[end..].trim_start_matches([' ', '\t']);
        let is_end = behind.is_empty() || behind.starts_with(['\n', '\r', '#', ':', ',', ']', '}']);
        if is_closed && is_end { end } else { self.at + self.text[self.at..cut].trim_end().len() }
    }

    /// Returns whether a string that is not closed ends with the line that ends at an offset.
    fn is_cut(&self, end: usize) -> bool {
        self.is_outer_key(end + 1 + self.spaces(end + 1))
            && !self.text[self.at..end].trim_end().ends_with([',', ':', '[', '{'])
    }

    /// Returns whether a key is at an offset, the first one of its line, that is not deeper than the innermost node without
    /// brackets.
    pub(super) fn is_outer_key(&self, at: usize) -> bool {
        let line = self.text[..at].trim_end_matches(' ').len();
        let Some(column) = self.block_column() else { return false };
        if at - line > column || !self.text[at..].starts_with(char::is_alphabetic) {
            return false;
        }
        let line = &self.text[at..self.line_end(at)];
        let end =
            line.find(": ").or_else(|| line.find(":\t")).or_else(|| line.trim_end().strip_suffix(':').map(str::len));
        end.is_some_and(|end| !line[..end].contains(" #"))
    }

    /// The end of a block scalar, and the column of its text.
    pub(super) fn block_scalar(&self) -> (usize, Option<usize>) {
        let mut end = self.line_end(self.at);
        let header = self.text[self.at..end].split([' ', '\t', '#']).next().unwrap_or_default();
        let outer = self.block_column();
        let digit = header.bytes().find(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
        let own = digit.map(|digit| outer.unwrap_or_default() + digit);
        let (is_kept, mut content, mut line) = (header.contains('+'), None, end);
        while let Some(next) = self.next_line(line) {
            line = self.line_end(next);
            let spaces = self.spaces(next);
            if next + spaces == line {
                let is_last = line == self.bytes.len();
                if is_kept && !is_last || content.or(own).is_some_and(|content| spaces > content) {
                    end = line;
                }
                continue;
            }
            let is_over = outer.is_some_and(|outer| spaces <= outer) || self.is_document_mark(next);
            let is_comment = self.bytes[next + spaces] == b'#';
            if is_over || is_comment && content.is_some_and(|content| spaces < content) {
                break;
            }
            content = content.or(own).or(Some(spaces));
            end = line;
        }
        (end, content)
    }
}
