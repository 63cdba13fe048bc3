//! Text that YAML cannot read: a merge conflict, a placeholder without quotes in brackets, a mark of a template engine.
//! It is reported in place of the token that a parser expected.

use std::ops::Range;

use super::outline::Line;
use formwork_base::display::shown;

const LONGEST: usize = 120;

pub(super) struct Conflict {
    pub(super) lines: Range<usize>,
    /// The part to leave out: the marks and the second version.
    pub(super) omitted: Range<usize>,
}

const MOST_LINES: usize = 1_000;

pub(super) fn conflict(source: &str, offset: usize) -> Option<Conflict> {
    let line = Line::of(source, offset);
    let is_mark = |line: &Line<'_>, mark: &str| {
        let rest = source[line.range.clone()].strip_prefix(mark);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r', '\n']))
    };
    let end_of = |line: &Line<'_>| {
        let last = line.below().take(MOST_LINES).find(|below| is_mark(below, LAST));
        last.map_or(line.range.end, |last| last.range.end)
    };
    if is_mark(&line, FIRST) {
        return Some(Conflict { lines: line.range.start..end_of(&line), omitted: line.range });
    }
    let omitted = match () {
        () if is_mark(&line, MIDDLE) => line.range.start..end_of(&line),
        () if is_mark(&line, LAST) => line.range.clone(),
        () => return None,
    };
    let mut above = line.above().take(MOST_LINES).take_while(|above| !is_mark(above, LAST));
    let first = above.find(|above| is_mark(above, FIRST))?;
    Some(Conflict { lines: first.range.start..omitted.end, omitted })
}

const FIRST: &str = "<<<<<<<";
const MIDDLE: &str = "=======";
const LAST: &str = ">>>>>>>";

/// Returns message and help for a placeholder such as `${Name}` without quotes inside of brackets, whose brace is at
/// `offset`.
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
    // A tag is before the quotes.
    if let Some((tag, rest)) = value.split_once(' ').filter(|(tag, _)| tag.starts_with('!')) {
        let (name, rest) = if tag == "!" { rest.split_once(' ')? } else { (&tag[1..], rest) };
        let rest = rest.trim();
        let is_quoted = rest.len() > 1 && rest.starts_with('\'') && rest.ends_with('\'');
        let string = if is_quoted { rest.to_owned() } else { format!("\"{rest}\"") };
        return is_short.then(|| (what, format!("write `!{} {}`", shown(name), shown(&string))));
    }
    is_short.then(|| (what, format!("quote the value: `\"{}\"`", shown(value))))
}

/// Returns the start of the line of an offset, when it is near: a search of long lines for each error takes too long.
pub(super) fn line_start(text: &str, offset: usize) -> Option<usize> {
    let mut before = text.get(..offset)?.char_indices().rev().take(LONGEST);
    let last = before.find_map(|(at, c)| (c == '\n').then_some(at + 1));
    last.or_else(|| (offset <= LONGEST).then_some(0))
}

/// Returns message and help for a function in its long form on the line of its key, as in `Name: Fn::Sub: x`, whose
/// second colon is at `offset`.
pub(super) fn function_beside_key(text: &str, offset: usize) -> Option<(String, String)> {
    let start = line_start(text, offset)?;
    let end =
        text[offset..].char_indices().take(LONGEST).find(|(_, c)| *c == '\n').map_or(text.len(), |(at, _)| offset + at);
    let (before, behind) = (text.get(start..offset)?, text.get(offset..end)?);
    let (key, function) = before.trim_start_matches([' ', '-']).split_once(": ")?;
    let function = function.trim();
    let short = if function == "Ref" { "Ref" } else { function.strip_prefix("Fn::")? };
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let value = behind.strip_prefix(':')?.trim();
    if !is_name(key) || !is_name(short) || value.contains('`') || value.len() > LONGEST {
        return None;
    }
    let what = format!("`{function}:` begins a mapping on the line of its key");
    let help = match value {
        "" => format!("begin `{function}:` on the next line, indented by two more spaces"),
        value => format!("write `{key}: !{short} {}`", shown(value)),
    };
    Some((what, help))
}

/// Returns message and help for a mapping as a key that begins with `{{`: a mark of a template engine, or a dynamic
/// reference without quotes.
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
        "render the file with its template engine first, or use a parameter".to_owned(),
    ))
}

/// Returns message and help for a mark such as `{% for x in y %}` of a template engine, whose `%` is at `offset`.
pub(super) fn percent_brace(text: &str, offset: usize) -> Option<(String, String)> {
    let is_mark = text[offset..].starts_with('%') && text[..offset].ends_with('{');
    let near = || text[offset..].chars().take(LONGEST).take_while(|c| *c != '\n').collect::<String>();
    (is_mark && near().contains("%}")).then(|| {
        (
            "`{% ... %}` is not CloudFormation".to_owned(),
            "render the file with its template engine first, or write conditions and loops".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_braces_are_of_engines() {
        let text = "Resources:\n{% for q in qs %}\n";
        assert!(percent_brace(text, text.find('%').expect("a mark")).is_some());
        assert!(percent_brace("a: {%b: c}", 4).is_none() && percent_brace("a: %b %}", 3).is_none());
    }

    #[test]
    fn conflicts_are_read_with_their_first_version() {
        let text = "a: 1\n<<<<<<< ours\nb: 1\n=======\nb: 2\n>>>>>>> theirs\nc: 1\n";
        let [first, middle] =
            ["<<<", "==="].map(|mark| conflict(text, text.find(mark).expect("a mark")).expect("a conflict"));
        assert_eq!(first.lines, middle.lines);
        assert!(text[first.lines.clone()].trim_end().ends_with(">>>>>>> theirs"));
        let mut left = text.to_owned();
        left.replace_range(middle.omitted, "");
        left.replace_range(first.omitted, "");
        assert_eq!(left.split_whitespace().collect::<Vec<_>>().join(" "), "a: 1 b: 1 c: 1");
        for text in ["a: 1\n", "<<<<<<<< x\n", "=======\n", ">>>>>>> x\n<<<<<<< y\n"] {
            assert!(conflict(text, 0).is_none(), "{text}");
        }
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
    fn tags_stay_in_front_of_quotes() {
        for (text, want) in
            [("P: {A: !Sub ${N}-a}", "write `!Sub \"${N}-a\"`"), ("P: {A: ! Sub '${N}'}", "write `!Sub '${N}'`")]
        {
            let offset = text.find("${").expect("a placeholder") + 1;
            assert_eq!(placeholder(text, offset).map(|(_, help)| help).as_deref(), Some(want));
        }
    }

    #[test]
    fn functions_beside_their_key_become_tags() {
        for (text, want) in [
            ("  Name: Fn::Sub: '${A}'\n", Some("write `Name: !Sub '${A}'`")),
            ("  - Name: Ref: X\n", Some("write `Name: !Ref X`")),
            ("  Name: Fn::Join:\n", Some("begin `Fn::Join:` on the next line, indented by two more spaces")),
            ("  Name: my: x\n", None),
        ] {
            let offset = text.rfind(':').expect("a colon");
            assert_eq!(function_beside_key(text, offset).map(|(_, help)| help).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn double_braces_are_of_engines_or_dynamic_references() {
        assert_eq!(double_brace("A: {{ name }}", 4).map(|(what, _)| what), Some("`{{ ... }}` is not CloudFormation"));
        let (_, help) = double_brace("A: {{resolve:ssm:/a}}", 4).expect("a slip");
        assert_eq!(help, "quote it: `\"{{resolve:ssm:/a}}\"`");
        assert_eq!(double_brace("A: {B: c}", 4), None);
    }
}
