//! Escaping of names, values and messages for reports: nothing in the result acts on a terminal, and no credentials of
//! an address are in it (reference/command-line.md#output).
//!
//! [`shown`] is for a name or a value in a message, [`escape_for_display`] for one on a line, [`escape_lines`] for a whole
//! report, [`escape_json`] for JSON. [`mask_credentials`] masks addresses such as `https://user:password@host/module.yaml?X-Amz-Signature=...`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// Removes the error numbers of the operating system, such as `(os error 2)`, from a message.
pub fn without_error_numbers(text: String) -> String {
    const START: &str = " (os error ";
    let mut parts = text.split(START);
    let Some(first) = parts.next().filter(|first| first.len() < text.len()) else { return text };
    let mut without = first.to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        match part[digits..].strip_prefix(')').filter(|_| digits > 0) {
            Some(rest) => without.push_str(rest),
            None => without.extend([START, part]),
        }
    }
    without
}

/// The replacement for a value that is not shown.
pub const MASK: &str = "****";

/// Returns `true` for a character that acts on a terminal, reorders what is shown, or is invisible: the controls C0,
/// DEL and C1, line and paragraph separators, bidirectional marks, and format characters without a width. The joiners
/// U+200C and U+200D are part of words in several scripts and pass.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Shortens a string of the author for messages: unprintable characters are escaped, credentials of addresses masked,
/// long strings cut.
pub fn shown(text: &str) -> String {
    const MOST: usize = 120;
    // As most names are. An address has a colon.
    if text.len() <= MOST && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b':') {
        return text.to_owned();
    }
    let text = mask_credentials(text);
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        if at == MOST {
            out.push('…');
            break;
        }
        if is_unprintable(c) || matches!(c, '\u{fffe}' | '\u{ffff}') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Escapes every unprintable character, line breaks and tabs included: for a name, a path or a value that is part of a
/// line.
pub fn escape_for_display(text: &str) -> Cow<'_, str> {
    escape(text, is_unprintable, |c, out| out.extend(c.escape_default()))
}

/// Escapes every unprintable character but line feeds and tabs: for a whole report.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    let acts = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\t');
    escape(text, acts, |c, out| out.extend(c.escape_default()))
}

/// Escapes the same characters in JSON, as `\u` and four digits: they occur only in strings, whose values do not
/// change.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    // Most reports are plain ASCII, which is quickly seen.
    if !json.bytes().any(|byte| byte >= 0x7f || byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t')) {
        return Cow::Borrowed(json);
    }
    let acts = |c: char| is_unprintable(c) && !matches!(c, '\n' | '\r' | '\t');
    escape(json, acts, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn escape(text: &str, acts: impl Fn(char) -> bool, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let Some(first) = text.find(&acts) else { return Cow::Borrowed(text) };
    let mut escaped = String::with_capacity(text.len() + 8);
    escaped.push_str(&text[..first]);
    for c in text[first..].chars() {
        if acts(c) {
            write(c, &mut escaped);
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Most characters of an item that is shown within a line.
pub const ITEM: usize = 60;
/// Most characters of a sentence.
pub const SENTENCE: usize = 2000;

/// Shortens a string to `most` characters and an ellipsis.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Masks what [`credentials`] finds.
pub fn mask_credentials(text: &str) -> Cow<'_, str> {
    let found = credentials(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
    for range in found {
        masked.push_str(&text[at..range.start]);
        masked.push_str(MASK);
        at = range.end;
    }
    masked.push_str(&text[at..]);
    Cow::Owned(masked)
}

/// Finds user names and passwords of addresses, and the values of query parameters that sign or unlock them, in any
/// string. The ranges are in order and do not overlap.
pub fn credentials(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("://") {
        let start = from + at + "://".len();
        let is_scheme = text[..from + at].ends_with(|c: char| c.is_ascii_alphanumeric());
        let end = start + address_length(&text[start..]);
        if is_scheme {
            in_address(&text[start..end], start, &mut found);
        }
        from = end;
    }
    found
}

/// Returns the length of the address at the beginning of running text.
fn address_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || is_unprintable(c) || matches!(c, '"' | '\'' | '`' | '<' | '>');
    text.find(ends).unwrap_or(text.len())
}

fn in_address(address: &str, base: usize, found: &mut Vec<Range<usize>>) {
    let authority = &address[..address.find(['/', '?', '#']).unwrap_or(address.len())];
    if let Some(at) = authority.rfind('@').filter(|&at| at > 0) {
        found.push(base..base + at);
    }
    let Some(query) = address.find('?') else { return };
    let mut at = query + 1;
    for pair in address[at..].split(['&', ';', '#']) {
        if let Some((name, value)) = pair.split_once('=')
            && is_signing(name)
            && !value.is_empty()
        {
            // A path inside of an archive may follow the query.
            let end = value.find('/').filter(|_| !is_credential(name)).unwrap_or(value.len());
            let start = base + at + name.len() + 1;
            found.push(start..start + end);
        }
        at += pair.len() + 1;
    }
}

/// Returns `true` for the query parameter whose value, credentials of AWS, has slashes.
fn is_credential(name: &str) -> bool {
    name.eq_ignore_ascii_case("X-Amz-Credential")
}

/// Returns `true` for a query parameter that unlocks its address: presigned addresses of S3, `CloudFront`, Google and
/// Azure, and tokens by their usual names.
fn is_signing(name: &str) -> bool {
    const WHOLE: [&str; 11] = [
        "sig",
        "signature",
        "awsaccesskeyid",
        "googleaccessid",
        "key-pair-id",
        "policy",
        "pwd",
        "auth",
        "authorization",
        "key",
        "jwt",
    ];
    const PARTS: [&str; 8] = ["token", "secret", "password", "passwd", "credential", "signature", "api_key", "apikey"];
    let name = name.to_ascii_lowercase();
    WHOLE.contains(&name.as_str()) || PARTS.iter().any(|part| name.contains(part)) || name.ends_with("api-key")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_system_errors_are_left_out() {
        let without = |text: &str| without_error_numbers(text.to_owned());
        assert_eq!(
            without("a: Not a directory (os error 20), b: Denied (os error 13)"),
            "a: Not a directory, b: Denied"
        );
        assert_eq!(without("no (os error x) (os error 2"), "no (os error x) (os error 2");
        assert_eq!(without("no number"), "no number");
    }

    #[test]
    fn names_are_escaped_on_their_line() {
        assert_eq!(
            escape_for_display("a\u{1b}[31m\u{7f}\u{9b}\u{202e}\u{61c}\u{2028}\u{200b}\u{feff}\n\t\u{e0041}"),
            "a\\u{1b}[31m\\u{7f}\\u{9b}\\u{202e}\\u{61c}\\u{2028}\\u{200b}\\u{feff}\\n\\t\\u{e0041}"
        );
        assert!(matches!(escape_for_display("plain — Größe \u{200d}"), Cow::Borrowed(_)));
    }

    #[test]
    fn reports_keep_their_lines() {
        assert_eq!(escape_lines("a\n\tb\r\u{1b}\n"), "a\n\tb\\r\\u{1b}\n");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = "a\u{7f}\u{9b}\u{2066}\u{e0041}b";
        let json = serde_like(value);
        let escaped = escape_json(&json);
        assert_eq!(escaped, "{\"a\": \"a\\u007f\\u009b\\u2066\\udb40\\udc41b\"}\n");
    }

    fn serde_like(value: &str) -> String {
        format!("{{\"a\": \"{value}\"}}\n")
    }

    #[test]
    fn addresses_lose_their_credentials() {
        for (text, want) in [
            ("https://user:pass@host/m.yaml", "https://****@host/m.yaml"),
            ("cannot read https://token@host, sorry", "cannot read https://****@host, sorry"),
            ("https://u:p@ss@host:8443/a@b", "https://****@host:8443/a@b"),
            (
                "\"https://b.s3.amazonaws.com/k?versionId=1&X-Amz-Credential=AK/20/us/s3&X-Amz-Signature=ab12&x=1\"",
                "\"https://b.s3.amazonaws.com/k?versionId=1&X-Amz-Credential=****&X-Amz-Signature=****&x=1\"",
            ),
            ("https://h/kit.zip?token=abc/in/m.yaml", "https://h/kit.zip?token=****/in/m.yaml"),
            (
                "https://h/m?access_token=abc#x (https://h/n?api-key=k)",
                "https://h/m?access_token=****#x (https://h/n?api-key=****",
            ),
            ("https://host/a?b=c@d", "https://host/a?b=c@d"),
            ("mail a@b, ://x:y@z", "mail a@b, ://x:y@z"),
        ] {
            assert_eq!(mask_credentials(text), want);
        }
    }
}
