//! Output of new YAML scalars (reference/layout.md#scalars, reference/layout.md#line-breaks).

use std::borrow::Cow;

use super::json_string;
use crate::scalar;

/// Writes a string on one line: plain where that reads back as the same string, else quoted.
pub(super) fn text(text: &str, flow: bool, out: &mut String) {
    if scalar::plain_is_safe(text, flow) {
        out.push_str(text);
    } else if text.contains(['"', '\\']) && !text.chars().any(scalar::needs_escape) {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    } else {
        double_quoted(text, out);
    }
}

/// Returns a number that YAML readers read as a number: exponents of JSON, which are strings in YAML 1.1, are written
/// out. An exponent beyond all templates is kept.
pub(super) fn number(text: &str) -> Cow<'_, str> {
    const MOST: i64 = 400;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((mantissa, exponent)) = unsigned.split_once(['e', 'E']) else { return Cow::Borrowed(text) };
    let Some(exponent) = exponent.parse::<i64>().ok().filter(|exponent| exponent.abs() <= MOST) else {
        return Cow::Borrowed(text);
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let point = whole.len() as i64 + exponent;
    let (left, right) = if point <= 0 {
        (String::new(), format!("{}{digits}", "0".repeat(point.unsigned_abs() as usize)))
    } else {
        let padded = format!("{digits:0<width$}", width = point as usize);
        let (left, right) = padded.split_at(point as usize);
        (left.to_owned(), right.to_owned())
    };
    let (left, right) = (left.trim_start_matches('0'), right.trim_end_matches('0'));
    let sign = if text.starts_with('-') { "-" } else { "" };
    let left = if left.is_empty() { "0" } else { left };
    Cow::Owned(if right.is_empty() { format!("{sign}{left}") } else { format!("{sign}{left}.{right}") })
}

/// Writes double quotes with JSON's mandatory escapes, and escapes for characters that YAML readers reject or take for
/// line breaks.
fn double_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '\0'..='\u{1f}' => json_string::escape(c as u8, out),
            c if scalar::needs_escape(c) => {
                let code = c as u32;
                for digit in [code >> 12, code >> 8, code >> 4, code].iter().enumerate() {
                    if digit.0 == 0 {
                        out.push_str("\\u");
                    }
                    out.push(char::from_digit(digit.1 & 15, 16).unwrap_or('0'));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

pub(super) fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\t', '\n'])
        && !text.chars().any(|c| c != '\n' && c != '\t' && scalar::needs_escape(c))
}

/// Returns the header of a literal block with the chomping that the string needs.
pub(super) fn block_header(text: &str) -> &'static str {
    let breaks = text.len() - text.trim_end_matches('\n').len();
    match breaks {
        0 => "|-",
        1 => "|",
        _ => "|+",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str) -> String {
        let mut out = String::new();
        text(given, false, &mut out);
        out
    }

    #[test]
    fn quotes_where_needed() {
        assert_eq!(check("say \"hi\""), "say \"hi\"");
        assert_eq!(check("\"hi\""), "'\"hi\"'");
        assert_eq!(check("it's: \"a\""), "'it''s: \"a\"'");
        assert_eq!(check("yes"), "\"yes\"");
        assert_eq!(check("a\\b: c"), "'a\\b: c'");
        assert_eq!(check("a\n\"b"), "\"a\\n\\\"b\"");
        assert_eq!(check("a\u{7f}\u{2028}"), "\"a\\u007f\\u2028\"");
    }

    #[test]
    fn numbers_without_exponents() {
        for (given, want) in [
            ("1.50", "1.50"),
            ("-12", "-12"),
            ("1e3", "1000"),
            ("1.5E+3", "1500"),
            ("12.345e1", "123.45"),
            ("-1.5e-3", "-0.0015"),
            ("10e-1", "1"),
            ("0.0e1", "0"),
            ("1e999999", "1e999999"),
        ] {
            assert_eq!(number(given), want, "{given}");
        }
    }

    #[test]
    fn headers() {
        assert_eq!(block_header("a\nb"), "|-");
        assert_eq!(block_header("a\nb\n"), "|");
        assert_eq!(block_header("a\n\n"), "|+");
        assert!(!is_block(" a\nb") && !is_block("a\rb\n") && is_block("a\tb\nc"));
    }
}
