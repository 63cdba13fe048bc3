//! Reading of JSON strings with their escapes.

use std::borrow::Cow;

use super::Reader;
use crate::json::plain_len;
use crate::json::slips::Slip;

impl<'r> Reader<'r> {
    pub(super) fn string(&mut self) -> Cow<'r, str> {
        let start = self.at + 1;
        let end = start + plain_len(&self.bytes[start..]);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Cow::Borrowed(&self.text[start..end]);
        }
        self.at = start;
        let mut text = String::new();
        let mut has_lines = false;
        loop {
            let plain = plain_len(&self.bytes[self.at..]);
            text.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            match self.bytes.get(self.at) {
                None => {
                    self.fatal(Slip::at(start - 1, "the string is never closed").help("add the closing `\"`"));
                    break;
                }
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => self.escape(&mut text),
                // The first line decides: the next quote is the same one in all lines of the string.
                Some(b'\n' | b'\r') if !std::mem::replace(&mut has_lines, true) && self.is_unclosed() => {
                    self.error(self.at, "the string of this line has no closing quote");
                    let written = self.unclosed(&self.text[start..self.at]);
                    self.at = start + written.len();
                    return written.into();
                }
                Some(_) => {
                    // Both characters of a line break of Windows are one mistake.
                    if !self.bytes[start..=self.at].ends_with(b"\r\n") {
                        self.error(
                            self.at,
                            "line breaks, tabs and other control characters in a string must be escaped, as in `\\n`",
                        );
                    }
                    text.push(char::from(self.bytes[self.at]));
                    self.at += 1;
                }
            }
        }
        text.into()
    }

    /// Returns `true` when the next quote begins another string, so that the current one should end in this line.
    fn is_unclosed(&self) -> bool {
        let rest = &self.text[self.at..];
        let behind = rest.find('"').map_or("", |quote| rest[quote + 1..].trim_start());
        !behind.starts_with([',', ':', '}', ']'])
    }

    /// Returns the intended string without its closing quote, of the part that is `written` in its line.
    fn unclosed<'t>(&self, written: &'t str) -> &'t str {
        if self.stack.last().is_some_and(|open| open.is_object && open.key.is_none()) {
            return written.find(": ").map_or(written, |colon| &written[..colon]);
        }
        let has_variable = written.contains("${");
        let is_end = |c: char| c == ',' || c == ' ' || !has_variable && "]}".contains(c);
        written.trim_end_matches(is_end)
    }

    fn escape(&mut self, text: &mut String) {
        let start = self.at;
        if let Some(b'/' | b'u') = self.bytes.get(start + 1) {
            self.layout = None;
        }
        let plain = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 2;
                return self.unicode_escape(start, text);
            }
            _ => {
                self.slip(
                    Slip::at(start, "the string has an unknown escape sequence").help("write `\\\\` for a backslash"),
                );
                self.at += 1;
                return;
            }
        };
        text.push(plain);
        self.at += 2;
    }

    fn unicode_escape(&mut self, start: usize, text: &mut String) {
        let Some(first) = self.four_digits() else {
            self.error(start, "`\\u` needs four hexadecimal digits");
            return;
        };
        let mut code = first;
        if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            let before = self.at;
            self.at += 2;
            match self.four_digits() {
                Some(second) if (0xdc00..0xe000).contains(&second) => {
                    code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                }
                _ => self.at = before,
            }
        }
        if let Some(c) = char::from_u32(code) {
            text.push(c);
        } else {
            self.error(start, "half of a surrogate pair is not a character");
            text.push('\u{fffd}');
        }
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}
