//! Lines that are meant as an entry or an element of YAML but are written in another way: with `=` in place of the
//! colon, without a space behind the dash, with a comment of another language. The report has the meaning of the line.

use super::outline::Line;
use super::tags::parentheses;
use formwork_base::display::shown;

const LONGEST: usize = 100;

/// Returns the message and the help for the line of an offset.
pub(super) fn of_line(text: &str, offset: usize) -> Option<(String, String)> {
    let line = text.get(Line::of(text, offset).range)?.trim();
    if line.len() > LONGEST || line.contains(['`', '"']) {
        return None;
    }
    comment(line).or_else(|| dash(line)).or_else(|| last_colon(line)).or_else(|| element(line)).or_else(|| colon(line))
}

/// Returns the message and the help for operators and parentheses of other languages in the line of an offset:
/// `"a-" + !Ref Name`, `!Sub("a-${Name}")`.
pub(super) fn of_languages(text: &str, offset: usize) -> Option<(String, String)> {
    let rest = text.get(offset..Line::of(text, offset).range.end)?.trim();
    let is_short = rest.len() <= LONGEST && !rest.contains('`');
    if let Some(tag) = rest.strip_prefix('!').filter(|tag| is_short && tag.contains('(')) {
        let code = parentheses(tag)?;
        return Some(("a function has its argument in parentheses".to_owned(), format!("write `{code}`")));
    }
    let is_sum = rest.starts_with("+ ") && text.get(..offset)?.trim_end().ends_with(['"', '\'']);
    is_sum.then(|| {
        let what = "`+` does not join strings in YAML".to_owned();
        (what, "write one string with placeholders: `!Sub \"a-${Name}\"`".to_owned())
    })
}

/// Matches `// a comment`.
fn comment(line: &str) -> Option<(String, String)> {
    for (begin, end) in [("/*", "*/"), ("<!--", "-->")] {
        if let Some(rest) = line.strip_prefix(begin) {
            let rest = rest.trim_end_matches(end).trim();
            return Some((format!("`{begin}` does not begin a comment in YAML"), format!("write `# {}`", shown(rest))));
        }
    }
    let at = line.match_indices("//").map(|(at, _)| at).find(|&at| at == 0 || line[..at].ends_with([' ', '\t']))?;
    let rest = line[at..].trim_start_matches('/').trim();
    Some(("`//` does not begin a comment in YAML".to_owned(), format!("write `# {}`", shown(rest))))
}

/// Matches `-Key: a`, or an element behind another dash.
fn dash(line: &str) -> Option<(String, String)> {
    if let Some(rest) = line.strip_prefix(['\u{2013}', '\u{2014}', '\u{2010}', '\u{2011}', '\u{2212}']) {
        let what = "a list element begins with another dash than `-`".to_owned();
        return Some((what, format!("write `- {}`", shown(rest.trim()))));
    }
    let rest = line.strip_prefix('-')?;
    let (key, _) = rest.split_once(':')?;
    let is_key = is_name(key) && rest.starts_with(|c: char| c.is_ascii_alphabetic());
    is_key.then(|| (format!("`-{}` has no space behind its dash", shown(rest)), format!("write `- {}`", shown(rest))))
}

/// Matches `Type: AWS::SNS::Topic:`.
fn last_colon(line: &str) -> Option<(String, String)> {
    let written = line.strip_suffix(':')?;
    let (key, value) = written.split_once(": ")?;
    let is_value = is_name(key) && !value.is_empty() && !value.starts_with(['{', '[', '"', '\'', '|', '>']);
    let is_value = is_value && !value.contains(": ") && !value.ends_with(':');
    is_value.then(|| ("a colon is behind the value".to_owned(), format!("write `{}`", shown(written))))
}

/// Matches `!Equals [a, b]` on a line of its own, behind another such line: an element without its dash.
fn element(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix('!')?;
    let (name, argument) = rest.split_once(' ')?;
    let is_call = is_name(name) && argument.starts_with('[') && argument.ends_with(']');
    is_call
        .then(|| ("an element of a list has no dash".to_owned(), format!("write `- {}`, as in each line", shown(line))))
}

/// Matches `Key = value`, or a colon that is not the one of YAML.
fn colon(line: &str) -> Option<(String, String)> {
    let line = line.strip_prefix("- ").unwrap_or(line);
    if let Some((key, value)) = line.split_once('\u{ff1a}').filter(|(key, _)| is_name(key.trim())) {
        let what = "a fullwidth colon is not the colon of YAML".to_owned();
        return Some((what, format!("write `{}: {}`", shown(key.trim()), shown(value.trim()))));
    }
    let (key, value) = line.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_entry = is_name(key) && !value.is_empty() && !value.contains([':', '=']) || is_type(key, value);
    is_entry.then(|| (format!("`{}` has no `:`", shown(line)), format!("write `{}: {}`", shown(key), shown(value))))
}

/// Matches `Type = AWS::SNS::Topic`.
fn is_type(key: &str, value: &str) -> bool {
    key == "Type" && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':')
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Keys of strings that have several lines. Below others an entry without its colon is likelier.
const OF_BLOCKS: [&str; 10] = [
    "BuildSpec",
    "Content",
    "Definition",
    "DefinitionBody",
    "DefinitionString",
    "Description",
    "InlineCode",
    "TemplateBody",
    "UserData",
    "ZipFile",
];

/// Returns the message and the help for a string of several lines that should be a block scalar, by its key. `start` is
/// the start of the string, `at` the place in a line below it that cannot be read.
pub(super) fn without_block_mark(text: &str, start: usize, at: usize) -> Option<(String, String)> {
    let first = Line::of(text, start);
    let is_below = first.range.end < at && text.get(first.range.start..start)?.trim().is_empty();
    let above = first.above().find(|above| !above.is_empty())?;
    let key = text.get(above.range)?.trim().trim_start_matches("- ").strip_suffix(':')?;
    (is_below && OF_BLOCKS.contains(&key)).then(|| {
        let what = format!("the string of {} has several lines, and no `|`", shown(key));
        (what, format!("write `{}: |`, and keep the lines below it", shown(key)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_they_mean() {
        for (line, want) in [
            ("      -Key: a", "write `- Key: a`"),
            ("  \u{2013} {Key: a}", "write `- {Key: a}`"),
            ("  DisplayName = orders", "write `DisplayName: orders`"),
            ("  Type = AWS::SNS::Topic", "write `Type: AWS::SNS::Topic`"),
            ("  Type\u{ff1a} AWS::SNS::Topic", "write `Type: AWS::SNS::Topic`"),
            ("// the topic", "write `# the topic`"),
            ("/* the topic */", "write `# the topic`"),
            ("<!-- the topic -->", "write `# the topic`"),
            ("    Type: AWS::SNS::Topic:", "write `Type: AWS::SNS::Topic`"),
            ("    !Equals [a, b]", "write `- !Equals [a, b]`, as in each line"),
            ("A: b // the topic", "write `# the topic`"),
        ] {
            assert_eq!(of_line(line, 0).map(|(_, help)| help).as_deref(), Some(want), "{line}");
        }
        for line in ["-1: a", "Url: http://host/", "A: b=c", "if a == b: c", "- Key: a", "--- a", "export A=b=c"] {
            assert_eq!(of_line(line, 0), None, "{line}");
        }
    }

    #[test]
    fn strings_below_their_key_were_to_be_blocks() {
        let text = "Code:\n  ZipFile:\n    import json\n    def h(e): x\n";
        let [start, at] = ["import", ": x"].map(|part| text.find(part).expect("it is there"));
        let (what, help) = without_block_mark(text, start, at).expect("a slip");
        assert_eq!(what, "the string of ZipFile has several lines, and no `|`");
        assert_eq!(help, "write `ZipFile: |`, and keep the lines below it");
        let text = "Code: a\n  B: c\n";
        assert_eq!(without_block_mark(text, 6, 11), None);
        let text = "First:\n  Type String\n  Default: a\n";
        assert_eq!(without_block_mark(text, 9, text.rfind(':').expect("a colon")), None);
    }
}
