//! Errors of files that are not TOML, in words for the person who wrote them.
//!
//! The words of a parser are about its grammar, and some quote the line. These are about the line, without its values:
//! one may be a secret, and a file with the name of a configuration file need not be one.

use std::ops::Range;

use crate::display::escape_for_display;

/// The first TOML error of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TomlSlip {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in Unicode scalar values.
    pub column: usize,
    /// The error: one clause.
    pub title: String,
    /// The advice.
    pub help: String,
    /// The line without its values; `None` when no part of it is known to be harmless.
    pub shown: Option<String>,
}

/// Longest key that is shown.
const LONGEST_KEY: usize = 40;

/// Returns the error at the place where a parser stopped, a range of bytes of `text`. `reported` is its message, which
/// distinguishes a duplicate key, an array that does not end and others that look alike.
pub fn toml_slip(text: &str, at: Range<usize>, reported: &str) -> TomlSlip {
    let met = text.floor_char_boundary(at.start);
    // What is never closed begins further above.
    let opened = match () {
        () if reported.starts_with("unclosed array,") => behind_equals(text, met, '['),
        () if reported.starts_with("unclosed inline table") => behind_equals(text, met, '{'),
        () if reported.contains("multi-line basic string") => before(text, met, "\"\"\""),
        () if reported.contains("multi-line literal string") => before(text, met, "'''"),
        () => None,
    };
    let start = opened.unwrap_or(met);
    let begin = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let number = text[..begin].matches('\n').count() + 1;
    let column = text[begin..start].chars().count() + 1;
    let (title, help) = words(line.trim(), reported);
    TomlSlip { line: number, column, title, help, shown: shown(line) }
}

/// Returns the last place of a bracket that is the value of a key, before an offset.
fn behind_equals(text: &str, offset: usize, bracket: char) -> Option<usize> {
    let end = text.ceil_char_boundary((offset + 1).min(text.len()));
    let is_value = |&at: &usize| text[..at].trim_end_matches([' ', '\t']).ends_with('=');
    text[..end].rmatch_indices(bracket).map(|(at, _)| at).find(is_value)
}

/// Returns the last place of a mark before an offset.
fn before(text: &str, offset: usize, mark: &str) -> Option<usize> {
    let end = text.ceil_char_boundary((offset + mark.len()).min(text.len()));
    text[..end].rfind(mark)
}

fn words(line: &str, reported: &str) -> (String, String) {
    let pair = |title: &str, help: &str| (title.to_owned(), help.to_owned());
    if reported.contains("duplicate key") {
        return match (line.starts_with('['), key_of(line)) {
            (true, _) => pair("a table has the same name as another one", "write what is below the two into one table"),
            (false, Some(key)) => (format!("duplicate key `{key}`"), "remove one of the two".to_owned()),
            (false, None) => pair("duplicate key", "remove one of the two"),
        };
    }
    if reported.starts_with("unclosed array,") {
        return pair("the list is never closed", "add the closing `]`");
    }
    if reported.starts_with("unclosed inline table") {
        return pair("the inline table is never closed", "add the closing `}` in the same line");
    }
    if reported.contains("missing comma") {
        return pair("a comma is missing between two elements", "write `,` between the elements");
    }
    if reported.contains("multi-line") {
        return pair("the string of several lines is never closed", "add the three closing quotes");
    }
    if line.starts_with("//") || line.starts_with("/*") || line.starts_with(';') || line.starts_with("--") {
        return pair("a comment of TOML begins with `#`", "write `#` in front of the comment");
    }
    if line.starts_with('[') {
        return if line.contains(']') {
            pair("the line of a table has more than its name", "write its keys into the lines below it")
        } else {
            pair("the name of a table is never closed", "add the closing `]`")
        };
    }
    let Some((before, value)) = line.split_once('=') else {
        return match line.split_once(':') {
            Some((key, _)) => {
                let key = safe_key(key).unwrap_or("key");
                ("a key of TOML is followed by `=`, not by `:`".to_owned(), format!("write `{key} = ` and its value"))
            }
            None => pair("the line has no `=` between a key and a value", "write one `key = value` per line"),
        };
    };
    let key = before.trim();
    if key.is_empty() {
        return pair("there is no key in front of `=`", "write one `key = value` per line");
    }
    if key.contains(':') && !key.starts_with(['"', '\'']) {
        return pair("a key of TOML is followed by `=`, not by `:`", "write `=` between the key and its value");
    }
    if !key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) && !key.starts_with(['"', '\'']) {
        return pair("the key has characters that need quotes", "write it in quotes: `\"the key\" = value`");
    }
    of_value(key, value.trim())
}

/// Returns title and help for the value of a key.
fn of_value(key: &str, value: &str) -> (String, String) {
    let pair = |title: &str, help: &str| (title.to_owned(), help.to_owned());
    let name = safe_key(key).unwrap_or("key");
    let word = value.trim_end_matches([',', ';']);
    match value.chars().next() {
        None | Some('#') => (format!("the key `{name}` has no value"), "write a value, or remove the line".to_owned()),
        Some(quote @ ('"' | '\'')) => {
            let rest = &value[1..];
            match rest.find(quote) {
                None => pair("the string is never closed", &format!("add the closing `{quote}`")),
                Some(_) if quote == '"' && rest.contains('\\') => {
                    pair("the string has an unknown escape sequence", "write the string in single quotes")
                }
                Some(_) => {
                    pair("something is behind the value", "write one `key = value` per line; `#` begins a comment")
                }
            }
        }
        _ if ["true ", "false "].iter().any(|begin| value.starts_with(begin)) => {
            pair("something is behind the value", "write one `key = value` per line; `#` begins a comment")
        }
        _ if matches!(word.to_ascii_lowercase().as_str(), "true" | "yes" | "on") => {
            pair("a Boolean of TOML is `true` or `false`", &format!("write `{name} = true`"))
        }
        _ if matches!(word.to_ascii_lowercase().as_str(), "false" | "no" | "off") => {
            pair("a Boolean of TOML is `true` or `false`", &format!("write `{name} = false`"))
        }
        Some('[' | '{') => pair(
            "the list or table of this line is not TOML",
            "put strings in quotes, commas between elements, and `=` behind keys",
        ),
        Some(c) if c.is_ascii_digit() || "+-.".contains(c) => {
            pair("the value is neither a number nor a date of TOML", &format!("quote it: `{name} = \"...\"`"))
        }
        Some(_) => pair("a string of TOML is in quotes", &format!("quote the value: `{name} = \"...\"`")),
    }
}

/// Returns a key that may be shown: a short word of letters, digits, `_`, `-` and `.`.
fn safe_key(key: &str) -> Option<&str> {
    let key = key.trim();
    let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.len() <= LONGEST_KEY
        && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    is_word.then_some(key)
}

fn key_of(line: &str) -> Option<&str> {
    safe_key(line.split_once('=')?.0)
}

/// Returns a line with `****` in place of its value.
fn shown(line: &str) -> Option<String> {
    let line = line.trim_end();
    let trimmed = line.trim_start();
    if trimmed.starts_with('[') && trimmed.len() <= 3 * LONGEST_KEY {
        let name = trimmed.trim_start_matches('[').trim_end_matches(']');
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-. \"".contains(c));
        return is_name.then(|| escape_for_display(line).into_owned());
    }
    let (key, value) = line.split_once(['=', ':'])?;
    safe_key(key)?;
    let mark = line.get(key.len()..=key.len())?;
    // The end of a key of an account, which is Base64.
    if value.trim_start_matches('=').is_empty() && value.starts_with('=') {
        return None;
    }
    let is_bare = value.trim().is_empty();
    Some(if is_bare { format!("{key}{mark}") } else { format!("{key}{mark} ****") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_without_their_values() {
        for (line, want) in [
            ("stack_name = foo", Some("stack_name = ****")),
            ("DbPassword=hunter2", Some("DbPassword= ****")),
            ("root:x:0:0", Some("root: ****")),
            ("c2VjcmV0==", None),
            ("hunter2", None),
            ("[default.deploy", Some("[default.deploy")),
            ("\"DbPassword=hunter2\",", None),
        ] {
            assert_eq!(shown(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn words_are_about_the_line() {
        for (line, title) in [
            ("[default", "the name of a table is never closed"),
            ("a b = 1", "the key has characters that need quotes"),
            ("a: 1", "a key of TOML is followed by `=`, not by `:`"),
            ("a = True", "a Boolean of TOML is `true` or `false`"),
            ("a = b", "a string of TOML is in quotes"),
            ("a = ", "the key `a` has no value"),
            ("= 3", "there is no key in front of `=`"),
            ("a = \"x", "the string is never closed"),
            ("a = \"x\" y", "something is behind the value"),
            ("a = 01", "the value is neither a number nor a date of TOML"),
            ("// a", "a comment of TOML begins with `#`"),
            ("a", "the line has no `=` between a key and a value"),
        ] {
            let slip = toml_slip(line, 0..0, "expected a grammar");
            assert_eq!(slip.title, title, "{line}");
        }
        let slip = toml_slip("a = 1\nb = [\n  1,\n[c]\n", 15..15, "unclosed array, expected `]`");
        assert_eq!((slip.line, slip.column, slip.title.as_str()), (2, 5, "the list is never closed"));
    }
}
