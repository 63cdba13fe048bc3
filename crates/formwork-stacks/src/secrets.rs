//! Masks values of `NoEcho` parameters: CloudFormation repeats some in its sentences, unchanged or in another form
//! (reference/deploy.md#events).

use formwork::display::MASK;
use std::ops::Range;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};

/// Values that are never shown.
#[derive(Clone, Debug, Default)]
pub struct Secrets(Vec<Form>);

/// Shorter values also occur by chance as parts of words.
const SHORT: usize = 4;

/// A form in which a value may appear, folded like the text that is searched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Form {
    folded: String,
    /// Matches whole words only.
    is_word: bool,
    /// Set for the inner part of a Base64 string: the adjacent digits encode a part of the value.
    is_base64: bool,
}

impl Secrets {
    /// Creates secrets from values, in every form.
    pub fn new(values: &[String]) -> Secrets {
        let mut forms: Vec<Form> = values.iter().flat_map(|value| forms(value)).collect();
        forms.retain(|form| !form.folded.is_empty());
        forms.sort();
        forms.dedup();
        Secrets(forms)
    }

    /// Replaces every secret in a string. A short one is replaced only where it is a word of its own.
    pub fn mask(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let folded = Folded::new(text);
        let mut found: Vec<Range<usize>> = self.0.iter().flat_map(|form| folded.find(text, form)).collect();
        found.sort_unstable_by_key(|range| (range.start, range.end));
        let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
        for range in found {
            if range.start >= at {
                masked.extend([&text[at..range.start], MASK]);
            }
            at = at.max(range.end);
        }
        masked.push_str(&text[at..]);
        masked
    }
}

/// Returns the forms of a value: itself, each of its lines, as a string in JSON, and in both alphabets of Base64 at
/// every offset that it may have in a longer string.
fn forms(value: &str) -> Vec<Form> {
    let quoted = serde_json::to_string(value).unwrap_or_default();
    let lines = value.lines().map(str::trim);
    let plain = lines.filter(|line| line.len() >= SHORT).chain([value, value.trim(), quoted.trim_matches('"')]);
    let plain =
        plain.map(|text| Form { folded: Folded::new(text).text, is_word: text.len() < SHORT, is_base64: false });
    let inner = (0..3).flat_map(|offset| inner_base64(value, offset));
    let encoded = inner.map(|text| Form { folded: Folded::new(&text).text, is_word: false, is_base64: true });
    plain.chain(encoded).collect()
}

/// Returns the Base64 digits that depend on nothing but a value that begins `offset` bytes after a multiple of three,
/// in both alphabets.
fn inner_base64(value: &str, offset: usize) -> impl Iterator<Item = String> {
    let bytes = [&[0; 2][..offset], value.as_bytes()].concat();
    let digits = (offset * 8).div_ceil(6)..bytes.len() * 8 / 6;
    let is_long = digits.len() >= SHORT;
    let encoded = [BASE64_STANDARD_NO_PAD.encode(&bytes), BASE64_URL_SAFE_NO_PAD.encode(&bytes)];
    encoded.into_iter().filter(move |_| is_long).map(move |text| text[digits.clone()].to_owned())
}

/// Lower-case text without line breaks and indentation.
struct Folded {
    text: String,
    /// The range of the original character, for each byte.
    places: Vec<Range<usize>>,
}

impl Folded {
    fn new(text: &str) -> Folded {
        let mut folded = Folded { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        let mut is_line_start = false;
        for (at, c) in text.char_indices() {
            is_line_start = matches!(c, '\n' | '\r') || is_line_start && matches!(c, ' ' | '\t');
            if !is_line_start {
                folded.text.extend(c.to_lowercase());
                folded.places.resize(folded.text.len(), at..at + c.len_utf8());
            }
        }
        folded
    }

    /// Finds a form in `text`, the original of this folded text.
    fn find(&self, text: &str, form: &Form) -> impl Iterator<Item = Range<usize>> {
        let starts = self.text.match_indices(&form.folded).map(|(at, _)| at);
        starts.filter_map(|start| {
            let end = start + form.folded.len();
            let range = self.places[start].start..self.places[end - 1].end;
            let (before, behind) = (text[..range.start].chars().next_back(), text[range.end..].chars().next());
            let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            if form.is_word {
                return (!is_letter(before) && !is_letter(behind)).then_some(range);
            }
            if !form.is_base64 {
                return Some(range);
            }
            let is_digit = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_');
            let first = before.filter(is_digit).map_or(range.start, |c| range.start - c.len_utf8());
            let last = behind.filter(is_digit).map_or(range.end, |c| range.end + c.len_utf8());
            let padding = text[last..].bytes().take_while(|&byte| byte == b'=').count();
            Some(first..last + padding)
        })
    }
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};

    use super::*;

    #[test]
    fn secrets_go() {
        let secrets = Secrets::new(&["hunter2".into(), "hunter2-long".into(), String::new(), "ab".into()]);
        assert_eq!(secrets.mask("x hunter2-long y hunter2z"), "x **** y ****z");
        assert_eq!(secrets.mask("ab cab ab, abab (ab)"), "**** cab ****, abab (****)");
        assert_eq!(Secrets::default().mask("plain"), "plain");
    }

    #[test]
    fn letter_case_and_lines_hide_nothing() {
        let secrets = Secrets::new(&["Hunter2-\u{c4}b".into(), "first line\n  second line".into()]);
        assert_eq!(secrets.mask("HUNTER2-\u{c4}B, hunter2-\u{e4}b"), "****, ****");
        assert_eq!(secrets.mask("a hun\n   ter2-\r\n\u{c4}b z"), "a **** z");
        assert_eq!(secrets.mask("x first line\nsecond line y"), "x **** y");
        assert_eq!(secrets.mask("x second line y, first line"), "x **** y, ****");
        assert_eq!(secrets.mask("{\"p\": \"first line\\n  second line\"}"), "{\"p\": \"****\"}");
    }

    #[test]
    fn base64_hides_nothing() {
        let secret = "p\u{fc}?ss>w\u{f6}rd~~";
        let secrets = Secrets::new(&[secret.into()]);
        for before in ["", "a", "ab", "abc", "user:"] {
            for behind in ["", "x", "xy", "xyz", ":host"] {
                let plain = format!("{before}{secret}{behind}");
                for engine in [BASE64_STANDARD, BASE64_URL_SAFE, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
                    let encoded = engine.encode(&plain);
                    let broken = format!("{}\n  {}", &encoded[..8], &encoded[8..]);
                    for text in [&encoded, &broken] {
                        let masked = secrets.mask(&format!("<{text}>"));
                        let left: String =
                            masked.replace(MASK, "").chars().filter(char::is_ascii_alphanumeric).collect();
                        // The rest has at most the digits of the text around the secret.
                        let most = before.len() * 8 / 6 + behind.len() * 8 / 6 + 1;
                        assert!(masked.contains(MASK) && left.len() <= most, "{before}|{behind} {text}: {masked}");
                    }
                }
            }
        }
        assert_eq!(secrets.mask("cMO8P3NzPnfDtnJkfn4 is it"), "**** is it");
    }
}
