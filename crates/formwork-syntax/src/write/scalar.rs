//! Scalars written anew in YAML (spec language-extensions.md, section 16, rules 5 and 6).

use super::json;
use crate::scalar;

/// One-line spelling of a text: plain where that reads back as the same text, else quoted.
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

/// Double quotes with JSON's mandatory escapes, and escapes for characters that YAML readers
/// refuse or take for line breaks.
fn double_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '\0'..='\u{1f}' => json::escape(c as u8, out),
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

/// Whether a text of several lines can stand in a literal block.
pub(super) fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\t', '\n'])
        && !text.chars().any(|c| c != '\n' && c != '\t' && scalar::needs_escape(c))
}

/// Header of a literal block with the chomping that the text needs.
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
    fn headers() {
        assert_eq!(block_header("a\nb"), "|-");
        assert_eq!(block_header("a\nb\n"), "|");
        assert_eq!(block_header("a\n\n"), "|+");
        assert!(!is_block(" a\nb") && !is_block("a\rb\n") && is_block("a\tb\nc"));
    }
}
