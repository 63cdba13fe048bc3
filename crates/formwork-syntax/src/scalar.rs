//! Types of plain scalars, and the rules when strings need quotes.
//!
//! A scalar keeps its written form; its type is a view. The view here is CloudFormation's
//! (reference/reading.md#scalars): YAML 1.1 words are Booleans, only plain numbers are numbers, dates and everything
//! else are strings.

use crate::tree::Kind;

/// Booleans of YAML 1.1 in the three spellings that readers know; `y` and `n` are strings.
const TRUE: [&str; 9] = ["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"];
const FALSE: [&str; 9] = ["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"];

/// Returns the Boolean that a plain word represents.
pub fn truth(text: &str) -> Option<bool> {
    if TRUE.contains(&text) {
        Some(true)
    } else if FALSE.contains(&text) {
        Some(false)
    } else {
        None
    }
}

/// Returns the kind of a plain YAML scalar.
pub fn plain_kind(text: &str) -> Kind {
    match text.as_bytes().first() {
        None => Kind::Null,
        Some(b'0'..=b'9' | b'-') if is_plain_number(text) => Kind::Number,
        Some(b'~' | b'n' | b'N') if matches!(text, "~" | "null" | "Null" | "NULL") => Kind::Null,
        Some(b't' | b'T' | b'f' | b'F' | b'y' | b'Y' | b'n' | b'N' | b'o' | b'O') if truth(text).is_some() => {
            Kind::Bool
        }
        _ => Kind::String,
    }
}

/// Returns `true` for a number that every reader reads alike: an integer or decimal without exponent, sign `+` or
/// leading zeros.
pub fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    all_digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(all_digits)
}

/// Returns `true` when a string can be written as a plain scalar in block style, or in flow style, so that every YAML
/// reader reads it back as the same string (reference/layout.md#scalars).
pub fn plain_is_safe(text: &str, flow: bool) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    if is_blank(first) || is_blank(last) || last == b':' {
        return false;
    }
    if b",[]{}#&*!|>'\"%@`".contains(&first) {
        return false;
    }
    if matches!(first, b'-' | b'?' | b':') && bytes.get(1).is_none_or(|&next| is_blank(next)) {
        return false;
    }
    // YAML 1.1 readers take it for the colon between key and value.
    if flow && first == b':' {
        return false;
    }
    let marks = bytes.iter().enumerate().filter(|&(_, &byte)| MARKS[usize::from(byte)]);
    for (at, &byte) in marks {
        let bad = match byte {
            b':' => bytes.get(at + 1).is_some_and(|&next| is_blank(next)),
            b'#' => is_blank(bytes[at - 1]),
            b',' | b'[' | b']' | b'{' | b'}' | b'?' => flow,
            0..=0x1f | 0x7f => true,
            _ => false,
        };
        if bad {
            return false;
        }
    }
    (text.is_ascii() || !text.chars().any(needs_escape)) && !looks_like_other(text)
}

/// Bytes that some plain scalars cannot have. Most scalars have none of them.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut byte = 0;
    while byte < marks.len() {
        marks[byte] = byte < 0x20 || matches!(byte as u8, b':' | b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'?' | 0x7f);
        byte += 1;
    }
    marks
};

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns `true` for characters that a YAML reader rejects or takes for a line break when they are not escaped.
pub fn needs_escape(c: char) -> bool {
    matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns `true` when some YAML 1.1 or 1.2 reader takes the plain scalar for null, a Boolean, a number, a date or a
/// mark of the language.
pub fn looks_like_other(text: &str) -> bool {
    let first = text.as_bytes().first().copied().unwrap_or(b'~');
    match first {
        b'0'..=b'9' | b'+' | b'-' | b'.' => {
            is_number(text)
                || is_timestamp(text)
                || matches!(text, "---" | "...")
                || text.starts_with("--- ")
                || text.starts_with("... ")
        }
        b'~' | b'=' | b'<' => matches!(text, "~" | "=" | "<<"),
        _ => {
            const WORDS: [&str; 9] = ["yes", "no", "on", "off", "y", "n", "true", "false", "null"];
            text.len() <= 5 && WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        }
    }
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    for (prefix, digits) in [("0x", "0123456789abcdefABCDEF_"), ("0b", "01_"), ("0o", "01234567_")] {
        if let Some(rest) = unsigned.strip_prefix(prefix) {
            return !rest.is_empty() && rest.chars().all(|c| digits.contains(c));
        }
    }
    // Some readers have patterns that need no digit: `-_`, `._`, `-.`.
    let may_be = unsigned.bytes().all(|b| matches!(b, b'0'..=b'9' | b'_' | b'.'));
    if may_be && !unsigned.is_empty() && text != "." && unsigned.bytes().filter(|&b| b == b'.').count() <= 1 {
        return true;
    }
    if !unsigned.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    // Sexagesimal: `12:30`, `1:30:00.5`.
    if unsigned.contains(':') {
        let mut parts = unsigned.split(':');
        let head = parts.next().unwrap_or_default();
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        return digits(head)
            && parts.all(|part| {
                let (whole, fraction) = part.split_once('.').unwrap_or((part, "0"));
                digits(whole) && whole.len() <= 2 && fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_')
            });
    }
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let mantissa_ok = mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'_' || b == b'.')
        && mantissa.bytes().filter(|&b| b == b'.').count() <= 1
        && mantissa.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.');
    let exponent_ok = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    });
    mantissa_ok && exponent_ok
}

fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 8 || !bytes[..4].iter().all(u8::is_ascii_digit) || bytes[4] != b'-' {
        return false;
    }
    let (date, time) = match text.find(['T', 't', ' ', '\t']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut parts = date[5..].split('-');
    let short =
        |part: Option<&str>| part.is_some_and(|p| (1..=2).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()));
    let date_ok = short(parts.next()) && short(parts.next()) && parts.next().is_none();
    let time_ok = time.is_none_or(|time| {
        let time = time.trim_start();
        time.starts_with(|c: char| c.is_ascii_digit())
            && time.contains(':')
            && time.bytes().all(|b| b"0123456789:.+-Zz \t".contains(&b))
    });
    date_ok && time_ok
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_plain_scalars() {
        for text in ["0", "-1", "10", "1.10", "123456789012", "0.5", "-0.0"] {
            assert_eq!(plain_kind(text), Kind::Number, "{text}");
        }
        for text in [
            "0755",
            "012345670123",
            "0x1A",
            "0b1",
            "1_000",
            "1:30",
            ".inf",
            ".nan",
            "1e3",
            "+5",
            "2012-10-17",
            "y",
            "n",
            "1.",
            ".5",
            "-",
            "a",
        ] {
            assert_eq!(plain_kind(text), Kind::String, "{text}");
        }
        for text in ["yes", "No", "ON", "off", "True", "false"] {
            assert_eq!(plain_kind(text), Kind::Bool, "{text}");
        }
        for text in ["", "~", "null", "NULL"] {
            assert_eq!(plain_kind(text), Kind::Null, "{text}");
        }
    }

    #[test]
    fn text_that_needs_quotes() {
        for text in [
            "",
            " a",
            "a ",
            "a\t",
            "yes",
            "No",
            "ON",
            "y",
            "N",
            "tRue",
            "null",
            "~",
            "0123",
            "1e3",
            "0x1F",
            "1_000",
            "12:30",
            ".5",
            ".inf",
            "-.INF",
            "123456789012",
            "2010-09-09",
            "2010-9-9 12:30:00",
            "a: b",
            "a #b",
            "#a",
            "*a",
            "&a",
            "!a",
            "- a",
            "-",
            "?",
            ":",
            "@a",
            "%a",
            "`a",
            "[a",
            "{a}",
            "a:",
            "=",
            "<<",
            "---",
            "...",
            "'a",
            "\"a",
            "|",
            ">",
            "a\nb",
            "a\u{7}",
            "é\u{2028}",
            "a:\tb",
            "0o14",
            "+1",
            "-1.5e3",
            "1.",
            "-_",
            "+_1",
            "._",
            "-.",
        ] {
            assert!(!plain_is_safe(text, false), "{text:?}");
        }
        for text in [
            "a",
            "say \"hi\"",
            "a\\d",
            "a:b",
            "AWS::S3::Bucket",
            "a#b",
            "-a",
            "arn:aws:s3:::x/*",
            "10.0.0.0/16",
            "1.2.3",
            "$x",
            "a, b",
            "yes and no",
            "it's",
            "é",
            "2 x",
            "${A}-b",
            "ab[c]",
            "-",
            ".",
            "..",
            "_1",
            "1-2",
            "2010-09-09x",
            "e3",
            "x=y",
            "a?b",
        ] {
            if text != "-" {
                assert!(plain_is_safe(text, false), "{text:?}");
            }
        }
        for text in ["a, b", "a]", "x{y", "${A}", "a?b", "?a", ":a", "::", ":1"] {
            assert!(!plain_is_safe(text, true), "{text:?}");
        }
    }
}
