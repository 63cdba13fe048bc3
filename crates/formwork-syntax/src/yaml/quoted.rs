//! Quoted strings that `granit-parser` rejects and readers of YAML 1.1 accept: lines of them have too little
//! indentation.

use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Quoted {
    pub(super) range: Range<usize>,
    pub(super) value: String,
}

/// Returns the quoted string around the offset `at`, a place between two of its lines. The text before `from` was read;
/// `in_flow` is `true` when brackets are open there.
pub(super) fn around(text: &str, from: usize, at: usize, in_flow: bool) -> Option<Quoted> {
    let bytes = text.as_bytes();
    let mut start = from;
    while start < at {
        start = match bytes[start] {
            b'"' | b'\'' => {
                let quoted = read(text, start)?;
                if quoted.range.end > at {
                    return Some(quoted);
                }
                quoted.range.end
            }
            b'#' => line_end(bytes, start),
            b' ' | b'\t' | b'\n' | b'\r' | b'[' | b']' | b'{' | b'}' | b',' => start + 1,
            b'-' | b'?' | b':' if bytes.get(start + 1).is_none_or(u8::is_ascii_whitespace) => start + 1,
            b'&' | b'*' | b'!' => {
                start + bytes[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len() - start)
            }
            _ => plain_end(bytes, start, in_flow),
        };
    }
    None
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[from..]).map_or(bytes.len(), |len| from + len)
}

fn plain_end(bytes: &[u8], from: usize, in_flow: bool) -> usize {
    let end = line_end(bytes, from);
    let stops = |at: usize| match bytes[at] {
        b':' => bytes.get(at + 1).is_none_or(|next| next.is_ascii_whitespace() || in_flow && b",[]{}".contains(next)),
        b'#' => bytes[at - 1].is_ascii_whitespace(),
        b',' | b'[' | b']' | b'{' | b'}' => in_flow,
        _ => false,
    };
    (from + 1..end).find(|&at| stops(at)).unwrap_or(end)
}

/// Reads the string whose opening quote is at `start`, as SnakeYAML does: a line break with the spaces around it is one
/// space, further ones are line breaks. `None` without an end or with an invalid escape.
pub(super) fn read(text: &str, start: usize) -> Option<Quoted> {
    let quote = *text.as_bytes().get(start)?;
    let mut value = String::new();
    let mut at = start + 1;
    loop {
        let rest = text.get(at..)?;
        let mut characters = rest.chars();
        let c = characters.next()?;
        match c {
            '\'' if quote == b'\'' && rest[1..].starts_with('\'') => {
                value.push('\'');
                at += 2;
            }
            '\'' | '"' if c as u32 == u32::from(quote) => return Some(Quoted { range: start..at + 1, value }),
            '\\' if quote == b'"' => at += escape(rest, &mut value)?,
            ' ' | '\t' | '\n' | '\r' => {
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
                fold(&rest[..blanks], &mut value);
                at += blanks;
                let is_line = text[..at].ends_with(['\n', '\r']);
                if is_line && is_document_mark(&text[at..]) {
                    return None;
                }
            }
            c => {
                value.push(c);
                at += c.len_utf8();
            }
        }
    }
}

fn is_document_mark(line: &str) -> bool {
    (line.starts_with("---") || line.starts_with("...")) && line.as_bytes().get(3).is_none_or(u8::is_ascii_whitespace)
}

/// Appends the meaning of spaces and line breaks between two words.
fn fold(blanks: &str, value: &mut String) {
    match line_breaks(blanks) {
        0 => value.push_str(blanks),
        1 => value.push(' '),
        count => value.extend(std::iter::repeat_n('\n', count - 1)),
    }
}

fn line_breaks(blanks: &str) -> usize {
    let bytes = blanks.as_bytes();
    let is_break = |(at, &byte): (usize, &u8)| byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    bytes.iter().enumerate().filter(|&pair| is_break(pair)).count()
}

fn escape(rest: &str, value: &mut String) -> Option<usize> {
    let name = rest[1..].chars().next()?;
    let digits = match name {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        '\n' | '\r' => {
            // The line continues without a space; further line breaks are kept.
            let blanks = rest.len() - 1 - rest[1..].trim_start_matches([' ', '\t', '\n', '\r']).len();
            value.extend(std::iter::repeat_n('\n', line_breaks(&rest[1..=blanks]) - 1));
            return Some(1 + blanks);
        }
        _ => 0,
    };
    if digits > 0 {
        let code = rest.get(2..2 + digits)?;
        let is_hexadecimal = code.bytes().all(|byte| byte.is_ascii_hexdigit());
        value.push(char::from_u32(u32::from_str_radix(code, 16).ok().filter(|_| is_hexadecimal)?)?);
        return Some(2 + digits);
    }
    value.push(match name {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' => ' ',
        '"' => '"',
        '/' => '/',
        '\\' => '\\',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    });
    Some(1 + name.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<String> {
        read(text, 0).map(|quoted| quoted.value)
    }

    #[test]
    fn lines_are_folded() {
        for (text, want) in [
            ("'x\ny'", "x y"),
            ("\"x \t\n\t y\"", "x y"),
            ("'x\n\n\ny'", "x\n\ny"),
            ("\"x\r\ny\"", "x y"),
            ("\" x  y \"", " x  y "),
            ("\"x\\\n  y\"", "xy"),
            ("\"x\\\n\n  y\"", "x\ny"),
            ("\"x\\n\\x41\\u00e9\\\"\\\\\"", "x\nA\u{e9}\"\\"),
            ("'it''s \\n'", "it's \\n"),
        ] {
            assert_eq!(value(text).as_deref(), Some(want), "{text:?}");
        }
        for text in ["'x", "\"x\\q\"", "\"x\n---\ny\"", "\"\\u12\""] {
            assert_eq!(value(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_text_around_a_place_is_found() {
        let found = |text: &str| {
            let at = text.find('@').expect("a place");
            around(&text.replace('@', " "), 0, at, text.contains('[')).map(|quoted| quoted.value)
        };
        assert_eq!(found("it's: \"a\n@b\"").as_deref(), Some("a b"));
        assert_eq!(found("'k': # don't\n  !Sub 'a\n@b'").as_deref(), Some("a b"));
        assert_eq!(found("- [x'y, 'a\n@b']").as_deref(), Some("a b"));
        assert_eq!(found("a: b\n@c"), None);
    }
}
