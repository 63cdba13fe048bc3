//! What a text is that YAML cannot read: a merge conflict, a placeholder without quotes in brackets, a mark of a template
//! engine. Said before what a parser expected there.

use std::ops::Range;

use super::outline::Line;
use crate::document::shown;

/// The longest line whose text is a part of an advice, in bytes.
const LONGEST: usize = 120;

/// The lines of an unresolved merge conflict, from its first mark at `offset` to its last.
pub(super) fn conflict(text: &str, offset: usize) -> Option<Range<usize>> {
    let line = Line::of(text, offset);
    let is_mark = |line: &Line<'_>, mark: &str| {
        let rest = text[line.range.clone()].strip_prefix(mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r', '\n']))
    };
    if !is_mark(&line, "<<<<<<<") {
        return None;
    }
    let last = line.below().find(|line| is_mark(line, ">>>>>>>"));
    Some(line.range.start..last.map_or(line.range.end, |last| last.range.end))
}

/// A placeholder such as `${Name}` without quotes inside of brackets, whose brace is at `offset`: the message and help.
pub(super) fn placeholder(text: &str, offset: usize) -> Option<(String, String)> {
    if !text[offset..].starts_with('{') || !text[..offset].ends_with(['$', '&']) {
        return None;
    }
    let line = Line::of(text, offset).range;
    let before = &text[line.start..offset];
    let start = line.start
        + ["{ ", "[ ", ": ", ", ", "[", "{"].iter().filter_map(|mark| Some(before.rfind(mark)? + mark.len())).max()?;
    let mut depth = 0_usize;
    let end = text[offset..line.end].char_indices().find_map(|(at, c)| {
        match c {
            '{' => depth += 1,
            '}' | ']' | ',' if depth == 0 => return Some(offset + at),
            '}' => depth -= 1,
            _ => {}
        }
        None
    })?;
    let value = text.get(start..end)?.trim();
    let is_short = value.len() <= LONGEST && !value.contains(['"', '\\', '`']);
    let what = "`{` cannot be in a value without quotes inside of brackets".to_owned();
    is_short.then(|| (what, format!("quote the value: `\"{}\"`", shown(value))))
}

/// What a mapping is, as a key, that begins with `{{`: a mark of a template engine, or a dynamic reference without quotes.
pub(super) fn double_brace(text: &str, inner: usize) -> Option<(&'static str, String)> {
    if !text[..inner].ends_with('{') {
        return None;
    }
    let line = Line::of(text, inner).range;
    let end = inner + text[inner..line.end].find("}}")? + 2;
    let mark = text.get(inner - 1..end)?;
    if mark.len() > LONGEST || mark.contains(['"', '`']) {
        return None;
    }
    if mark.starts_with("{{resolve:") {
        return Some(("a dynamic reference has no quotes", format!("quote it: `\"{}\"`", shown(mark))));
    }
    Some((
        "`{{ ... }}` is not CloudFormation",
        "render the file with its template engine first, or refer to a parameter with `Ref`".to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_end_at_their_last_mark() {
        let text = "a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\nc: 1\n";
        let range = conflict(text, 5).expect("a conflict");
        assert_eq!(&text[range.clone()].lines().last(), &Some(">>>>>>> theirs"));
        assert!(text[range.end..].trim_start().starts_with("c: 1"));
        assert_eq!(conflict(text, 0), None);
        assert_eq!(conflict("<<<<<<<< x\n", 0), None);
        assert!(conflict("<<<<<<< x\na: 1\n", 0).is_some_and(|range| range.end <= 10));
    }

    #[test]
    fn values_with_placeholders_are_quoted_whole() {
        for (text, want) in [
            ("P: {CodeUri: src/${Name}, Handler: a}", "\"src/${Name}\""),
            ("P: {Url: http://${Host}/}", "\"http://${Host}/\""),
            ("P: [a, ${A}-${B}]", "\"${A}-${B}\""),
            ("P: {A: ${N}}", "\"${N}\""),
        ] {
            let offset = text.find("${").expect("a placeholder") + 1;
            let (_, help) = placeholder(text, offset).expect("a slip");
            assert_eq!(help, format!("quote the value: `{want}`"));
        }
        assert_eq!(placeholder("P: {A: {B: c}}", 7), None);
    }

    #[test]
    fn double_braces_are_of_engines_or_dynamic_references() {
        assert_eq!(double_brace("A: {{ name }}", 4).map(|(what, _)| what), Some("`{{ ... }}` is not CloudFormation"));
        let (_, help) = double_brace("A: {{resolve:ssm:/a}}", 4).expect("a slip");
        assert_eq!(help, "quote it: `\"{{resolve:ssm:/a}}\"`");
        assert_eq!(double_brace("A: {B: c}", 4), None);
    }
}
