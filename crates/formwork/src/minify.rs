//! Templates as JSON without white space.

use formwork_base::Limits;
use formwork_syntax::Format;

use crate::reformat;

/// Writes a template as JSON without white space. `None` when it is not a template, or too large for `limits`.
pub fn minify(text: &str, limits: &Limits) -> Option<String> {
    let (mut minifier, mut dense) = (Minifier::default(), String::new());
    minifier.push(&reformat(text, Format::Json, limits)?, &mut dense);
    Some(dense)
}

/// Removes the white space between values of JSON that comes in parts.
#[derive(Debug, Default)]
pub(crate) struct Minifier {
    is_text: bool,
    is_escaped: bool,
}

impl Minifier {
    /// Appends a part without its white space to `dense`.
    pub(crate) fn push(&mut self, part: &str, dense: &mut String) {
        // Parts are cut at one-byte characters.
        let (bytes, mut kept) = (part.as_bytes(), 0);
        for (at, &byte) in bytes.iter().enumerate() {
            if !self.is_text && matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                dense.push_str(&part[kept..at]);
                kept = at + 1;
                continue;
            }
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = self.is_text,
                b'"' => self.is_text = !self.is_text,
                _ => {}
            }
        }
        dense.push_str(&part[kept..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_values_goes() {
        let text = "A: !Sub \"x \\\"y\\\\ z\"\nB:\n  - 1.50\n  - 'p q'\n";
        let want = r#"{"A":{"Fn::Sub":"x \"y\\ z"},"B":[1.50,"p q"]}"#;
        assert_eq!(minify(text, &Limits::default()).as_deref(), Some(want));
        let json = "{\n  \"A\": \"x \\\"y\\\\ ö\",\n  \"B\": [1.50, \"p q\"]\n}";
        for at in (0..json.len()).filter(|&at| json.is_char_boundary(at)) {
            let (mut minifier, mut dense) = (Minifier::default(), String::new());
            minifier.push(&json[..at], &mut dense);
            minifier.push(&json[at..], &mut dense);
            assert_eq!(dense, r#"{"A":"x \"y\\ ö","B":[1.50,"p q"]}"#);
        }
    }
}
