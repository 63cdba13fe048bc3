//! Correction of the spans of `granit-parser`'s events.
//!
//! The parser's spans of plain and quoted scalars, aliases, anchors, tags and flow collections are exact. A block
//! scalar begins after its header, a list without indentation after its first dash, block collections end at the next
//! token, and empty nodes may be before their colon. The exact spans of those are found in the text, by skipping
//! everything that is allowed between two tokens.

/// The text between tokens, seen from an offset.
#[derive(Clone, Copy)]
pub(crate) struct Gap<'t> {
    pub(crate) text: &'t str,
}

/// Returns the column of the lines of a block scalar with the decoded string `value`, of which `text` has the lines
/// behind its header. `None` when it has only empty lines.
pub(crate) fn block_indent(text: &str, value: &str) -> Option<usize> {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let lines = || text.split(['\n', '\r']);
    let has_content = |line: &&str| blanks(line) < line.len();
    if let (Some(line), Some(of_value)) = (lines().find(has_content), value.split('\n').find(has_content)) {
        // Folding does not change lines before the first one.
        return Some(blanks(line).saturating_sub(blanks(of_value)));
    }
    let longest = value.split('\n').map(str::len).max().filter(|len| *len > 0)?;
    lines().map(str::len).max().map(|len| len.saturating_sub(longest))
}

/// Returns the lines of a text behind an offset that is the end of a line, each with its own offset.
fn lines_behind(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.get(from..).unwrap_or_default().split(['\n', '\r']);
    lines.map(move |line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
}

impl Gap<'_> {
    fn byte(self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Skips spaces, line breaks, comments, tags, anchors and the marks `:` `-` `?`, and returns the offset of the
    /// first character for which `stop` holds or that is none of these.
    pub(crate) fn skip(self, from: usize, stop: impl Fn(u8) -> bool) -> usize {
        let mut at = from;
        while let Some(byte) = self.byte(at) {
            if stop(byte) {
                return at;
            }
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b':' | b'-' | b'?' => at += 1,
                b'#' => at = self.line_end(at),
                b'&' | b'!' => {
                    while self.byte(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
                        at += 1;
                    }
                }
                _ => return at,
            }
        }
        at
    }

    pub(crate) fn block_scalar_start(self, from: usize) -> usize {
        self.skip(from, |byte| matches!(byte, b'|' | b'>'))
    }

    /// Returns the first dash of the block list after the key, tag or anchor that ends at `from`.
    pub(crate) fn first_dash(self, from: usize) -> usize {
        let mut at = from;
        loop {
            at = self.skip(at, |byte| byte == b'-');
            let is_dash =
                self.byte(at) == Some(b'-') && self.byte(at + 1).is_none_or(|next| next.is_ascii_whitespace());
            if is_dash || self.byte(at).is_none() {
                return at;
            }
            at += 1;
        }
    }

    /// Returns the text and the end of a block scalar whose header is at `header`, and for which `granit-parser`
    /// reports the end `end`, at the next token.
    pub(crate) fn block_scalar(self, header: usize, end: usize, value: &str) -> (&str, usize) {
        let header_end = self.line_end(header);
        let mut end = self.block_scalar_end(header_end, end.max(header), value);
        if self.text[header..header_end].split([' ', '\t']).next().is_some_and(|mark| mark.contains('+')) {
            end = self.kept_breaks_end(end);
        }
        let last = memchr::memrchr2(b'\n', b'\r', self.text.as_bytes()).map_or(0, |found| found + 1);
        if end == self.text.len() && !value.is_empty() && !self.text[last..].trim_start().is_empty() {
            return (value.strip_suffix('\n').unwrap_or(value), end);
        }
        (value, end)
    }

    /// Returns the end of the text of a block scalar for which granit reports the end at the next token: after the last
    /// line that is longer than the indentation, which may have only spaces, but not before `least`.
    fn block_scalar_end(self, least: usize, end: usize, value: &str) -> usize {
        let Some(text) = self.text.get(least..end) else { return least };
        let Some(indent) = block_indent(text, value) else { return least };
        // The text before the next token on its own line does not belong to the scalar.
        let own = if self.text.len() == end || text.ends_with(['\n', '\r']) {
            text
        } else {
            &text[..memchr::memrchr2(b'\n', b'\r', text.as_bytes()).map_or(0, |found| found + 1)]
        };
        let mut end = text.trim_end().len();
        for (at, line) in lines_behind(own, end) {
            if line.len() > indent {
                end = at + line.len();
            }
        }
        least + end
    }

    /// Returns the end of a block scalar that keeps the empty lines after its content, which ends at `from`: after the
    /// last of them, without its line break.
    fn kept_breaks_end(self, from: usize) -> usize {
        let mut end = self.line_end(from);
        while let Some(len) = match self.text.as_bytes().get(end..) {
            Some([b'\r', b'\n', ..]) => Some(2),
            Some([b'\r' | b'\n', ..]) => Some(1),
            _ => None,
        } {
            let next = self.line_end(end + len);
            if next == self.text.len() || !self.text[end + len..next].trim_matches([' ', '\t']).is_empty() {
                break;
            }
            end = next;
        }
        end
    }

    pub(crate) fn line_end(self, at: usize) -> usize {
        memchr::memchr2(b'\n', b'\r', &self.text.as_bytes()[at..]).map_or(self.text.len(), |len| at + len)
    }

    /// Returns the place of an empty value: after the colon, when granit reports the place before it.
    pub(crate) fn empty_value(self, at: usize) -> usize {
        at + usize::from(self.byte(at) == Some(b':'))
    }
}
