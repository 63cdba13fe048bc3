//! Strings that are JSON documents.

use super::Wrong;

/// Deeper documents are not checked.
const DEEPEST: usize = 128;

pub(super) fn document(text: &str) -> Option<Wrong> {
    let mut reader = Reader { text: text.as_bytes(), at: 0 };
    let is_valid = reader.value(DEEPEST);
    reader.spaces();
    if is_valid.is_none() || is_valid == Some(true) && reader.at == reader.text.len() {
        return None;
    }
    Wrong::new("valid JSON", "an object, such as `{\"key\": \"value\"}`, as JSON")
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Reads a value; `None` for one that is too deep.
    fn value(&mut self, left: usize) -> Option<bool> {
        let left = left.checked_sub(1)?;
        self.spaces();
        match self.peek() {
            Some(b'{') => self.members(left, b'}', true),
            Some(b'[') => self.members(left, b']', false),
            Some(b'"') => Some(self.string()),
            _ => Some(self.word()),
        }
    }

    fn members(&mut self, left: usize, end: u8, has_keys: bool) -> Option<bool> {
        self.at += 1;
        self.spaces();
        if self.take(end) {
            return Some(true);
        }
        loop {
            self.spaces();
            if has_keys {
                let is_key = self.string();
                self.spaces();
                if !is_key || !self.take(b':') {
                    return Some(false);
                }
            }
            if !self.value(left)? {
                return Some(false);
            }
            self.spaces();
            if self.take(end) {
                return Some(true);
            }
            if !self.take(b',') {
                return Some(false);
            }
        }
    }

    fn string(&mut self) -> bool {
        if !self.take(b'"') {
            return false;
        }
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => return true,
                b'\\' => self.at += 1,
                0..0x20 => return false,
                _ => {}
            }
        }
        false
    }

    /// Reads `true`, `false`, `null` or a number.
    fn word(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok());
        let is_number = number.is_some_and(f64::is_finite)
            && word.first().is_some_and(|&byte| byte == b'-' || byte.is_ascii_digit());
        matches!(word, b"true" | b"false" | b"null") || is_number
    }
}
