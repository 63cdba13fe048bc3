//! What people write in JSON that JSON does not have: where it is, what to write, and where reading goes on.

use std::ops::Range;

use crate::document::shown;

/// Something that is not JSON.
pub(super) struct Slip {
    /// What is wrong, as offsets in the text.
    pub(super) at: Range<usize>,
    /// Where a reader of JSON meets it.
    pub(super) met: usize,
    /// The title.
    pub(super) why: String,
    /// What is to be known besides.
    pub(super) note: Option<String>,
    /// What to do.
    pub(super) help: Option<String>,
}

impl Slip {
    /// One character.
    pub(super) fn at(at: usize, why: impl Into<String>) -> Slip {
        Slip { at: at..at, met: at, why: why.into(), note: None, help: None }
    }

    /// What to do.
    pub(super) fn help(self, help: impl Into<String>) -> Slip {
        Slip { help: Some(help.into()), ..self }
    }

    /// What it is, when it is more than one character.
    fn over(self, at: Range<usize>) -> Slip {
        Slip { at, ..self }
    }
}

/// A way of writing that a file has from its first line to the last: one mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Habit {
    /// Single quotes or backquotes around strings.
    Quotes,
    /// Keys without quotes.
    Keys,
    /// Comments.
    Comments,
}

impl Habit {
    /// The report about the first use, and how many more there are.
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

/// The end of a comment that begins at an offset.
pub(super) fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let of_line = || at + rest.find('\n').unwrap_or(rest.len());
    match rest.as_bytes() {
        [b'/', b'/', ..] | [b'#', ..] => Some(of_line()),
        [b'/', b'*', ..] => Some(rest.find("*/").map_or_else(of_line, |end| at + end + 2)),
        _ => None,
    }
}

/// A comment.
pub(super) fn comment(at: Range<usize>) -> Slip {
    Slip::at(at.start, "").over(at).help("remove the comment, or write the template in YAML, where `#` begins one")
}

/// The text in quotes of another kind that begin at an offset, and where it ends; it ends in its line.
pub(super) fn quoted(text: &str, start: usize, quote: u8) -> Option<(String, usize)> {
    if !matches!(quote, b'\'' | b'`') {
        return None;
    }
    let quote = char::from(quote);
    let mut content = String::new();
    let mut rest = text.get(start + 1..)?.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '\n' => return None,
            '\\' => content.extend(rest.next().map(|(_, c)| c)),
            c if c == quote => return Some((content, start + 1 + at + c.len_utf8())),
            c => content.push(c),
        }
    }
    None
}

/// A key without quotes that begins at an offset, and where it ends: letters and digits, as far as a colon.
pub(super) fn bare_key(text: &str, start: usize) -> Option<(String, usize)> {
    let rest = text.get(start..)?;
    let of_key = |c: char| c.is_alphanumeric() || "_-.$:{}".contains(c);
    let end = rest.find(|c| !of_key(c)).unwrap_or(rest.len());
    // `Fn::Sub:` and `a:1`: the last colon in front of a value.
    let written = &rest[..end];
    let colon = match rest[end..].trim_start().starts_with(':') {
        true => end,
        false => written.rmatch_indices(':').map(|(at, _)| at).find(|&at| !written[..at].ends_with(':'))?,
    };
    let key = &written[..colon];
    let is_key = key.starts_with(|c: char| c.is_alphanumeric() || "_$".contains(c));
    is_key.then(|| (key.to_owned(), start + colon))
}

/// A string, or a key, that is to be in double quotes.
pub(super) fn quotes(at: Range<usize>, text: &str) -> Slip {
    let written = shown(text).replace('"', "\\\"");
    Slip::at(at.start, "").over(at).help(format!("write `\"{written}\"`"))
}

/// A value that is none of JSON, with the string that is read instead: a word of a programming language, a number
/// with another notation, a string without quotes.
pub(super) fn bare_value(text: &str, start: usize) -> Option<(Slip, String)> {
    let rest = text.get(start..)?;
    let line = rest.lines().next().unwrap_or_default();
    // A placeholder has braces of its own.
    let mut open = 0_usize;
    let end = line.find(|c: char| {
        open += usize::from(c == '{');
        let is_end = open == 0 && matches!(c, ',' | '}' | ']' | '"' | ';');
        open -= usize::from(c == '}' && open > 0);
        is_end
    });
    let written = line[..end.unwrap_or(line.len())].trim_end();
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
            "leave the key out, or write `{\"Ref\": \"AWS::NoValue\"}`: CloudFormation does not accept `null`".to_owned(),
        ),
        _ if written.starts_with('!') => {
            ("JSON does not have tags".to_owned(), format!("write {}", long_form(written)))
        }
        _ if written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            let is_number = written.chars().all(|c| c.is_ascii_alphanumeric() || "+-._".contains(c));
            let title = if is_number { "is not a number of JSON" } else { "is a string without quotes" };
            (format!("`{}` {title}", shown(written)), format!("write `\"{}\"`", shown(written)))
        }
        _ => ("a string of JSON is in double quotes".to_owned(), format!("write `\"{}\"`", shown(written))),
    };
    let slip = Slip::at(start, why).over(start..start + written.len()).help(help);
    Some((slip, written.to_owned()))
}

/// What a short tag is in JSON.
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

/// Whether a value that ended is followed by what begins another one, so that a comma is missing.
pub(super) fn begins_another(byte: u8, in_object: bool) -> bool {
    matches!(byte, b'"' | b'\'') || byte.is_ascii_alphabetic() || !in_object && matches!(byte, b'{' | b'[' | b'0'..=b'9')
}

/// A comma is missing at `end`; what follows is at `next`.
pub(super) fn missing_comma(end: usize, next: usize, text: &str) -> Slip {
    let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
    let line = text[..end].lines().next_back().unwrap_or_default().trim();
    let is_short = line.len() <= 60 && !line.is_empty() && text[end..].starts_with(['\n', '\r']);
    let help = if is_short { format!("write `{line},`") } else { "write `,` between the two".to_owned() };
    Slip { met: next, ..Slip::at(end, "a comma is missing").over(end - last..end).help(help) }
}

/// The last comma has nothing behind it but the end, at `end`.
pub(super) fn trailing_comma(comma: usize, end: usize, bracket: char) -> Slip {
    let slip = Slip::at(comma, format!("JSON does not have a comma in front of `{bracket}`")).help("remove the comma");
    Slip { met: end, ..slip }
}

/// A comma behind a comma, or in front of the first key.
pub(super) fn two_commas(at: usize) -> Slip {
    Slip::at(at, "there is nothing in front of this comma").help("remove the comma")
}

/// A semicolon behind a value.
pub(super) fn semicolon(at: usize) -> Slip {
    Slip::at(at, "`;` is not a separator of JSON").help("write `,` between keys and elements")
}

/// An equals sign or an arrow for the colon behind a key.
pub(super) fn equals_sign(at: usize, text: &str, key: &str) -> Slip {
    let len = if text[at..].starts_with("=>") { 2 } else { 1 };
    let why = format!("the key \"{}\" is followed by `{}`, not by `:`", shown(key), &text[at..at + len]);
    Slip::at(at, why).over(at..at + len).help("write `:`")
}

/// No colon behind a key that began at `start`.
pub(super) fn no_colon(at: usize, start: usize, key: &str) -> Slip {
    let why = format!("the key \"{}\" has no `:`", shown(key));
    Slip { met: at, ..Slip::at(start, why).help(format!("write `\"{}\": ` and its value", shown(key))) }
}

/// What cannot be a key.
pub(super) fn no_key(at: usize) -> Slip {
    Slip::at(at, "a key in double quotes is expected").help("write `\"Key\": value`, or close the object with `}`")
}

/// What cannot be a value.
pub(super) fn no_value(at: usize) -> Slip {
    Slip::at(at, "a value is missing here").help("write a value: a string in double quotes, a number, `{...}` or `[...]`")
}

/// Neither a comma nor the end behind a value.
pub(super) fn neither(at: usize, byte: u8, in_object: bool) -> Slip {
    let (kind, open, close) = if in_object { ("an object", '{', '}') } else { ("a list", '[', ']') };
    match byte {
        b'}' | b']' => {
            let why = format!("{kind} is closed by `{}`, not by `{close}`", char::from(byte));
            Slip::at(at, why).help(format!("close each `{open}` with `{close}`"))
        }
        b':' => Slip::at(at, "a `:` behind a value").help("write a key in front of each `:`, in an object `{...}`"),
        _ => Slip::at(at, format!("`,` or `{close}` is expected")).help("write `,` between keys and elements"),
    }
}

/// The text ends with open brackets.
pub(super) fn too_early(at: usize) -> Slip {
    Slip::at(at, "the file ends too early").help("close what is open: each `{` with `}`, each `[` with `]`")
}

/// Something behind the end of the outermost object.
pub(super) fn behind_the_end(at: usize, text: &str) -> Slip {
    match text.as_bytes().get(at) {
        Some(b'}' | b']') => Slip::at(at, "there is one closing bracket too many").help("remove it, or open one above"),
        Some(b',') => Slip::at(at, "the template ends in front of this comma").help("remove the comma"),
        Some(b'{') => Slip::at(at, "the file has a second object")
            .help("merge the two into one, or write each into a file of its own"),
        _ => Slip::at(at, "the template ends in front of this").help("remove what is behind its last `}`"),
    }
}
