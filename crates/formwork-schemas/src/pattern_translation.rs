//! Patterns of schemas as programs of `regex-lite` (reference/schemas.md#values).

use std::fmt::Write as _;

use crate::pattern_cache::compile;

/// Prefix of a name pattern that this program does not understand: it is kept, because the names that it matches are
/// not known.
pub(crate) const NOT_UNDERSTOOD: &str = "(?!)";

/// Translates a pattern of a registry schema, which is Java's or ECMAScript's; `None` for one that is not understood:
/// look-around, back references, Unicode classes, or too slow to compile. In `regex-lite`, `\w`, `\d` and `\s` are
/// ASCII, and a match is searched, both as in Java.
pub fn translate(pattern: &str) -> Option<String> {
    if pattern.is_empty() {
        return None;
    }
    // In a table, NUL ends a string.
    if pattern.contains('\0') {
        return translate(&pattern.replace('\0', "\\x00"));
    }
    if let Some(without) = without_look_around(pattern) {
        return translate(&without);
    }
    let mut out = String::with_capacity(pattern.len());
    let mut characters = pattern.chars().peekable();
    let mut in_class = 0_u32;
    let mut class_start = false;
    while let Some(character) = characters.next() {
        let was_start = std::mem::take(&mut class_start);
        match character {
            '\\' => escape(&mut characters, in_class > 0, &mut out)?,
            '[' if in_class == 0 => {
                in_class = 1;
                out.push('[');
                if characters.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                class_start = true;
            }
            // Java: a class in a class; ECMAScript: a bracket.
            '[' => return None,
            // Java and ECMAScript differ.
            ']' if in_class > 0 && was_start => return None,
            ']' if in_class > 0 => {
                in_class = 0;
                out.push(']');
            }
            ']' => out.push_str("\\]"),
            '&' if in_class > 0 => {
                // `&&` intersects in Java.
                if characters.peek() == Some(&'&') {
                    return None;
                }
                out.push_str("\\&");
            }
            '~' | '-' if in_class > 0 => hyphen(character, was_start, &mut characters, &mut out),
            '{' if in_class == 0 && !is_count(&characters) => out.push_str("\\{"),
            '}' if in_class == 0 && !ends_count(&out) => out.push_str("\\}"),
            other => out.push(other),
        }
    }
    if in_class > 0 {
        return None;
    }
    // A pattern with the same meaning in both is kept as the author of the schema wrote it.
    let differs = ["&&", "--", "~~", "\\<", "\\>"].iter().any(|operator| pattern.contains(operator));
    if !differs && compile(pattern).is_some() {
        return Some(pattern.to_owned());
    }
    compile(&out).is_some().then_some(out)
}

/// Starts of look-around.
const LOOK_AROUND: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];

/// Returns `true` for a pattern with look-around, whose translation matches more strings.
pub(crate) fn has_look_around(pattern: &str) -> bool {
    LOOK_AROUND.iter().any(|start| pattern.contains(start))
}

/// Returns a pattern without its look-around, which only restricts matches: a string that does not match the rest does
/// not match the pattern. `None` if it has none, or one that is repeated.
fn without_look_around(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len());
    let (mut rest, mut in_class, mut found) = (pattern, false, false);
    while let Some(character) = rest.chars().next() {
        let start = LOOK_AROUND.into_iter().find(|start| !in_class && rest.starts_with(start));
        if let Some(start) = start {
            rest = behind_group(rest.get(start.len()..)?)?;
            if rest.starts_with(['*', '+', '?', '{']) {
                return None;
            }
            found = true;
            continue;
        }
        let width = if character == '\\' { 1 + rest.chars().nth(1)?.len_utf8() } else { character.len_utf8() };
        in_class = match character {
            '[' => true,
            ']' => false,
            _ => in_class,
        };
        out.push_str(rest.get(..width)?);
        rest = rest.get(width..)?;
    }
    (found && !out.is_empty()).then_some(out)
}

/// Returns what is behind the end of a group, of which the start was read.
fn behind_group(text: &str) -> Option<&str> {
    let (mut depth, mut in_class, mut is_escaped) = (1_u32, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..);
        }
    }
    None
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn escape(characters: &mut Characters<'_>, in_class: bool, out: &mut String) -> Option<()> {
    let escaped = characters.next()?;
    match escaped {
        'w' | 'W' | 'd' | 'D' | 's' | 'S' | 'n' | 'r' | 't' | 'f' => {
            out.push('\\');
            out.push(escaped);
        }
        'b' | 'B' | 'A' | 'z' if !in_class => {
            out.push('\\');
            out.push(escaped);
        }
        // A code point: `\u0020`, `\x20`.
        'u' | 'x' => {
            let digits = if escaped == 'u' { 4 } else { 2 };
            let code: String = characters.by_ref().take(digits).collect();
            let is_code = code.chars().count() == digits && code.chars().all(|digit| digit.is_ascii_hexdigit());
            let code = is_code.then(|| u32::from_str_radix(&code, 16).ok()).flatten()?;
            write!(out, "\\x{{{:X}}}", u32::from(char::from_u32(code)?)).ok()?;
        }
        letter if letter.is_ascii_alphanumeric() => return None,
        // `regex-lite` reads `\\<` as the start of a word.
        '<' | '>' => out.push(escaped),
        mark if mark.is_ascii_punctuation() => {
            out.push('\\');
            out.push(mark);
        }
        other => out.push(other),
    }
    Some(())
}

/// A hyphen in a class is a literal hyphen at an end and after a class such as `\w`.
fn hyphen(character: char, is_first: bool, characters: &mut Characters<'_>, out: &mut String) {
    let is_last = characters.peek() == Some(&']');
    let behind_class = out.len() >= 2 && {
        let end = out.get(out.len() - 2..).unwrap_or_default();
        ["\\w", "\\d", "\\s", "\\W", "\\D", "\\S"].contains(&end)
    };
    let before_class = {
        let mut ahead = characters.clone();
        ahead.next() == Some('\\') && ahead.next().is_some_and(|next| "wdsWDS".contains(next))
    };
    if character == '~' || is_first || is_last || behind_class || before_class {
        out.push('\\');
    }
    out.push(character);
}

fn is_count(characters: &Characters<'_>) -> bool {
    let mut ahead = characters.clone();
    let mut digits = 0;
    for character in ahead.by_ref() {
        match character {
            '0'..='9' => digits += 1,
            ',' if digits > 0 => {}
            '}' => return digits > 0,
            _ => return false,
        }
    }
    false
}

/// Returns `true` if `}` ends a number of repetitions that begins in `out`.
fn ends_count(out: &str) -> bool {
    out.rfind('{').is_some_and(|start| {
        let inner = out.get(start + 1..).unwrap_or_default();
        let is_escaped = out.get(..start).unwrap_or_default().ends_with('\\');
        !is_escaped && !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_java_are_translated_or_left_out() {
        let cases = [
            ("^[a-z]{1,5}$", Some("^[a-z]{1,5}$")),
            ("^arn:aws[a-zA-Z-]*:s3", Some("^arn:aws[a-zA-Z-]*:s3")),
            ("[\\w-.]+", Some("[\\w\\-.]+")),
            ("[^&]", Some("[^&]")),
            ("^(?!aws).+$", Some("^.+$")),
            ("^(?=.{2,256}$)[a-z]+(?<!-)$", Some("^[a-z]+$")),
            ("(?=a)*b", None),
            ("\\p{L}+", None),
            ("(a)\\1", None),
            ("", None),
            ("[\\u0020-\\uFFFD]*", Some("[\\u0020-\\uFFFD]*")),
            ("[\0-a]", Some("[\\x00-a]")),
            ("${x}", Some("$\\{x\\}")),
            ("[\\w\\-]{1,100000}", None),
        ];
        for (pattern, translated) in cases {
            assert_eq!(translate(pattern).as_deref(), translated, "{pattern}");
        }
    }
}
