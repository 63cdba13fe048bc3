//! Mistakes in JSON: the place, the advice, and the place from which reading continues.

use std::ops::Range;

use formwork_base::display::shown;

pub(super) struct Slip {
    pub(super) at: Range<usize>,
    /// Offset at which a JSON reader finds it.
    pub(super) met: usize,
    pub(super) why: String,
    pub(super) note: Option<String>,
    pub(super) help: Option<String>,
}

impl Slip {
    pub(super) fn at(at: usize, why: impl Into<String>) -> Slip {
        Slip { at: at..at, met: at, why: why.into(), note: None, help: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Slip {
        Slip { help: Some(help.into()), ..self }
    }

    fn over(self, at: Range<usize>) -> Slip {
        Slip { at, ..self }
    }
}

/// A way of writing that a file uses throughout: one mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    Quotes,
    Keys,
    Comments,
}

impl Habit {
    pub(super) fn slip(self, first: Slip, more: usize) -> Slip {
        let (why, others) = match self {
            Habit::Quotes => ("a string of JSON is in double quotes", "strings"),
            Habit::Keys => ("a key of JSON is in double quotes", "keys"),
            Habit::Comments => ("JSON does not have comments", "comments"),
        };
        let note = (more > 0).then(|| format!("there are {more} more such {others} in this file"));
        Slip { why: why.into(), note, ..first }
    }
}

/// Returns the end of a comment that begins at an offset. `last` is the offset of the last `*/` of the file, or 0.
pub(super) fn comment_end(text: &str, at: usize, last: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let of_line = || at + rest.find('\n').unwrap_or(rest.len());
    match rest.as_bytes() {
        [b'/', b'/', ..] | [b'#', ..] => Some(of_line()),
        // Without an end nothing is searched for: a file may begin many.
        [b'/', b'*', ..] if last < at + 2 => Some(of_line()),
        [b'/', b'*', ..] => Some(rest[2..].find("*/").map_or_else(of_line, |end| at + end + 4)),
        _ => None,
    }
}

pub(super) fn comment(at: Range<usize>) -> Slip {
    Slip::at(at.start, "").over(at).help("remove the comment, or write the template in YAML, where `#` begins one")
}

/// Returns the string in other quotes that begins at an offset, and its end, which is in its line.
pub(super) fn quoted(text: &str, start: usize) -> Option<(String, usize)> {
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    let ends: &[char] = match first {
        '\'' | '`' => &[first],
        '\u{201c}' | '\u{201d}' | '\u{201e}' => &['\u{201c}', '\u{201d}', '"'],
        '\u{2018}' | '\u{2019}' => &['\u{2018}', '\u{2019}', '\''],
        _ => return None,
    };
    let mut content = String::new();
    let mut rest = rest.char_indices().skip(1);
    while let Some((at, c)) = rest.next() {
        match c {
            '\n' => return None,
            '\\' => content.extend(rest.next().map(|(_, c)| c)),
            c if ends.contains(&c) => return Some((content, start + at + c.len_utf8())),
            c => content.push(c),
        }
    }
    None
}

/// Returns the key without quotes at an offset, and its end: alphanumeric up to a colon.
pub(super) fn bare_key(text: &str, start: usize) -> Option<(String, usize)> {
    let rest = text.get(start..)?;
    let of_key = |c: char| c.is_alphanumeric() || "_-.$:{}".contains(c);
    let end = rest.find(|c| !of_key(c)).unwrap_or(rest.len());
    // `Fn::Sub:` and `a:1`: the last colon before a value.
    let written = &rest[..end];
    let colon = if rest[end..].trim_start().starts_with(':') {
        end
    } else {
        written.rmatch_indices(':').map(|(at, _)| at).find(|&at| !written[..at].ends_with(':'))?
    };
    let key = &written[..colon];
    let is_key = key.starts_with(|c: char| c.is_alphanumeric() || "_$".contains(c));
    is_key.then(|| (key.to_owned(), start + colon))
}

pub(super) fn quotes(at: Range<usize>, text: &str) -> Slip {
    let written = shown(text).replace('"', "\\\"");
    Slip::at(at.start, "").over(at).help(format!("write `\"{written}\"`"))
}

/// Returns the offset of the colon of a key without its closing quote, behind which the value was read as a part of it.
/// `written` has the opening quote.
pub(super) fn colon_inside(written: &str) -> Option<usize> {
    let colon = memchr::memchr3(b':', b'{', b'[', written.as_bytes())?;
    let behind = written[colon..].strip_prefix(':')?.trim_start();
    let is_open = behind.starts_with(['{', '[']) || behind == "\"";
    is_open.then_some(colon)
}

pub(super) fn unclosed_key(at: Range<usize>, key: &str) -> Slip {
    let met = at.end;
    let slip = Slip::at(at.start, "the key has no closing quote").over(at);
    Slip { met, ..slip.help(format!("write `\"{}\":`", shown(key))) }
}

/// Returns the number of a notation of another language as JSON writes it.
fn number(written: &str) -> Option<String> {
    let plain: String = written.chars().filter(|&c| c != '_').collect();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let of_radix = |digits: &str, radix| i64::from_str_radix(digits, radix).ok().map(|value| format!("{sign}{value}"));
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return of_radix(digits, 16);
    }
    if let Some(digits) = digits.strip_prefix("0b") {
        return of_radix(digits, 2);
    }
    if let Some(digits) = digits.strip_prefix("0o") {
        return of_radix(digits, 8);
    }
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    // `05` may be a string, and is octal elsewhere.
    let is_number = is_digits(whole) && fraction.is_none_or(is_digits) && digits.len() > fraction.iter().len();
    if !is_number || whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(match fraction {
        None => format!("{sign}{whole}"),
        Some("") => format!("{sign}{whole}.0"),
        Some(fraction) => format!("{sign}{whole}.{fraction}"),
    })
}

/// Returns the report about a value that JSON does not have, and the string that is read instead: a word of a
/// programming language, a number in another notation, a string without quotes.
pub(super) fn bare_value(text: &str, start: usize) -> Option<(Slip, String)> {
    let rest = text.get(start..)?;
    // A placeholder has braces of its own.
    let mut open = 0_usize;
    let end = rest.find(|c: char| {
        open += usize::from(c == '{');
        let is_end = open == 0 && matches!(c, ',' | '}' | ']' | '"' | ';') || matches!(c, '\n' | '\r');
        open -= usize::from(c == '}' && open > 0);
        is_end
    });
    let written = rest[..end.unwrap_or(rest.len())].trim_end();
    if written.is_empty() || written.starts_with(['{', '[', ':', '=']) {
        return None;
    }
    let (why, help) = match written {
        "True" | "TRUE" | "False" | "FALSE" => {
            let word = written.to_ascii_lowercase();
            (format!("`{written}` is not a value of JSON"), format!("write `{word}`"))
        }
        "None" | "nil" | "undefined" | "NULL" | "Null" => (
            format!("`{written}` is not a value of JSON"),
            "leave the key out, or write `{\"Ref\": \"AWS::NoValue\"}`: CloudFormation does not accept `null`"
                .to_owned(),
        ),
        _ if written.starts_with('!') => {
            ("JSON does not have tags".to_owned(), format!("write {}", long_form(written)))
        }
        _ if written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            let is_number = written.chars().all(|c| c.is_ascii_alphanumeric() || "+-._".contains(c));
            let title = if is_number { "is not a number of JSON" } else { "is a string without quotes" };
            let help = match number(written) {
                Some(number) => format!("write `{number}`"),
                None => format!("write `\"{}\"`", shown(written)),
            };
            (format!("`{}` {title}", shown(written)), help)
        }
        _ if written.contains("${") => {
            ("a placeholder is part of a string".to_owned(), format!("write `{{\"Fn::Sub\": \"{}\"}}`", shown(written)))
        }
        _ => ("a string of JSON is in double quotes".to_owned(), format!("write `\"{}\"`", shown(written))),
    };
    let slip = Slip::at(start, why).over(start..start + written.len()).help(help);
    Some((slip, written.to_owned()))
}

/// Returns the long form of a short tag, in JSON.
fn long_form(written: &str) -> String {
    let (tag, argument) = written.split_once(' ').unwrap_or((written, ""));
    let name = tag.trim_start_matches('!');
    let argument = argument.trim().trim_matches(['\'', '"']);
    let key = if matches!(name, "Ref" | "Condition") { name.to_owned() } else { format!("Fn::{name}") };
    if argument.is_empty() {
        return format!("the long form: `{{\"{key}\": ...}}`");
    }
    format!("`{{\"{key}\": \"{}\"}}`", shown(argument))
}

/// Returns `true` when another value begins behind a finished one, so that a comma is missing.
pub(super) fn begins_another(text: &str, at: usize, in_object: bool) -> bool {
    // A letter right behind a quote is a part of the string that was meant.
    let is_in_string = text[..at].ends_with('"');
    match text.as_bytes()[at] {
        b'"' | b'\'' => true,
        b'{' | b'[' | b'0'..=b'9' => !in_object,
        byte => byte.is_ascii_alphabetic() && !is_in_string,
    }
}

pub(super) fn missing_comma(end: usize, next: usize, text: &str) -> Slip {
    let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
    let line = text[..end].lines().next_back().unwrap_or_default().trim();
    let is_short = line.len() <= 60 && line.starts_with('"') && text[end..].starts_with(['\n', '\r']);
    let slip = Slip::at(end, "a comma is missing");
    let slip = if is_short {
        slip.over(end - line.len()..end).help(format!("write `{line},`"))
    } else {
        slip.over(end - last..end).help("separate the two with a comma")
    };
    Slip { met: next, ..slip }
}

pub(super) fn trailing_comma(comma: usize, end: usize, bracket: char) -> Slip {
    let slip = Slip::at(comma, format!("JSON does not have a comma in front of `{bracket}`")).help("remove the comma");
    Slip { met: end, ..slip }
}

pub(super) fn two_commas(at: usize) -> Slip {
    Slip::at(at, "there is nothing in front of this comma").help("remove the comma")
}

pub(super) fn semicolon(at: usize) -> Slip {
    Slip::at(at, "`;` is not a separator of JSON").help("write `,` between keys and elements")
}

pub(super) fn equals_sign(at: usize, text: &str, key: &str) -> Slip {
    let len = if text[at..].starts_with("=>") { 2 } else { 1 };
    let why = format!("the key \"{}\" is followed by `{}`, not by `:`", shown(key), &text[at..at + len]);
    Slip::at(at, why).over(at..at + len).help("write `:`")
}

pub(super) fn no_colon(at: usize, start: usize, key: &str) -> Slip {
    let why = format!("the key \"{}\" has no `:`", shown(key));
    Slip { met: at, ..Slip::at(start, why).help(format!("write `\"{}\": ` and its value", shown(key))) }
}

pub(super) fn no_key(at: usize) -> Slip {
    Slip::at(at, "a key in double quotes is expected").help("write `\"Key\": value`, or close the object with `}`")
}

/// The message about a missing value, which YAML has as null.
pub(crate) const NO_VALUE: &str = "a value is missing here";

pub(super) fn no_value(at: usize) -> Slip {
    Slip::at(at, NO_VALUE).help("write a value: a string in double quotes, a number, `{...}` or `[...]`")
}

pub(super) fn neither(at: usize, byte: u8, in_object: bool) -> Slip {
    let (kind, open, close) = if in_object { ("an object", '{', '}') } else { ("a list", '[', ']') };
    match byte {
        b'}' | b']' => {
            let why = format!("{kind} is closed by `{}`, not by `{close}`", char::from(byte));
            Slip::at(at, why).help(format!("close each `{open}` with `{close}`"))
        }
        b'+' => Slip::at(at, "JSON does not have operators")
            .help("write `{\"Fn::Join\": [\"\", [\"a\", \"b\"]]}` with the strings"),
        b':' => Slip::at(at, "a `:` behind a value").help("write a key in front of each `:`, in an object `{...}`"),
        _ => Slip::at(at, format!("`,` or `{close}` is expected"))
            .help("separate keys and elements with commas, and put a backslash before a quote inside of a string"),
    }
}

/// Returns the report about a file that ends with open brackets, outermost first: their offsets, and `true` for braces.
pub(super) fn too_early(at: usize, open: &[(usize, bool)]) -> Slip {
    const MOST: usize = 20;
    let Some(&(start, is_object)) = open.last() else {
        return Slip::at(at, "the file ends too early").help("write a template");
    };
    let why = format!("the bracket `{}` is never closed", if is_object { '{' } else { '[' });
    let closing: String = open.iter().rev().take(MOST).map(|&(_, brace)| if brace { '}' } else { ']' }).collect();
    Slip {
        met: at,
        ..Slip::at(start, why).help(format!("close it with `{closing}` where the text ends, or where each is to end"))
    }
}

pub(super) fn behind_the_end(at: usize, text: &str) -> Slip {
    match text.as_bytes().get(at) {
        Some(b'}' | b']') => Slip::at(at, "there is one closing bracket too many").help("remove it, or open one above"),
        Some(b',') => Slip::at(at, "the template ends in front of this comma").help("remove the comma"),
        Some(b'{') => Slip::at(at, "the file has a second object")
            .help("merge the two into one, or write each into a file of its own"),
        _ => Slip::at(at, "the template ends in front of this").help("remove what is behind its last `}`"),
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits};

    use crate::tree::Tree;

    #[test]
    fn what_is_not_json_has_advice_that_is() {
        for (text, want) in [
            ("{'a': 'b', 'c': `d`}", "a string of JSON is in double quotes / write `\"a\"`"),
            ("{\u{201c}a\u{201d}: 1}", "a string of JSON is in double quotes / write `\"a\"`"),
            ("{a: 1, Fn::Sub: 2}", "a key of JSON is in double quotes / write `\"a\"`"),
            ("{\"a\": b-c}", "a string of JSON is in double quotes / write `\"b-c\"`"),
            ("{\"a\": True}", "`True` is not a value of JSON / write `true`"),
            ("{\"a\": !Ref B}", "JSON does not have tags / write `{\"Ref\": \"B\"}`"),
            ("{\"a\": !GetAtt B.C}", "JSON does not have tags / write `{\"Fn::GetAtt\": \"B.C\"}`"),
            ("{\"a\": 0x1F}", "`0x1F` is not a number of JSON / write `31`"),
            ("{\"a\": 1_000}", "`1_000` is not a number of JSON / write `1000`"),
            ("{\"a\": .5}", "`.5` is not a number of JSON / write `0.5`"),
            ("{\"a\": +5}", "`+5` is not a number of JSON / write `5`"),
            ("{\"a\": 007}", "`007` is not a number of JSON / write `\"007\"`"),
            ("{\"a\": 10.0.0.0/16}", "`10.0.0.0/16` is a string without quotes / write `\"10.0.0.0/16\"`"),
            ("{\"a\": ${B}-c}", "a placeholder is part of a string / write `{\"Fn::Sub\": \"${B}-c\"}`"),
            ("{\"a\": 1,}", "JSON does not have a comma in front of `}` / remove the comma"),
            ("{\"a\": [1,]}", "JSON does not have a comma in front of `]` / remove the comma"),
            ("{\"a\": 1,, \"b\": 2}", "there is nothing in front of this comma / remove the comma"),
            ("{\"a\": 1; \"b\": 2}", "`;` is not a separator of JSON / write `,` between keys and elements"),
            ("{\"a\": 1 \"b\": 2}", "a comma is missing / separate the two with a comma"),
            ("{\n\"a\": 1\n\"b\": 2}", "a comma is missing / write `\"a\": 1,`"),
            ("{\"a\": [1 2]}", "a comma is missing / separate the two with a comma"),
            ("{\"a\" => 1}", "the key \"a\" is followed by `=>`, not by `:` / write `:`"),
            ("{\"a: {\"b\": 1}}", "the key has no closing quote / write `\"a\":`"),
            ("{\"a\": \"C:\\dir\"}", "the string has an unknown escape sequence / write `\\\\` for a backslash"),
            (
                "// x\n{\"a\": 1} # y",
                "JSON does not have comments / remove the comment, or write the template in YAML, where `#` begins one",
            ),
        ] {
            let mut found = Diagnostics::new();
            crate::json::read::read(&mut Tree::new(), text, 0, &Limits::default(), &mut found);
            let first = found.iter().next().map(|one| format!("{} / {}", one.message, one.help.join("; ")));
            assert_eq!(first.as_deref(), Some(want), "{text}");
            assert_eq!(found.len(), 1, "{text}: {:?}", found.iter().map(|one| &one.message).collect::<Vec<_>>());
        }
    }
}
