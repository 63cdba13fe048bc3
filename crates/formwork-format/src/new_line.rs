//! Indents a new line while somebody types.

use crate::edits::Edit;
use crate::majority::Majority;
use crate::options::{Auto, Options, Step};

/// Returns the change that indents the line of `offset`, which is new and empty, for the next entry of the collection
/// at the line in front of it: one step to the right behind a key without a value or an open bracket, else in the
/// column of the last entry. Only the lines count, since the file is seldom well-formed then. `None` when the line has
/// that column, or is not empty.
///
/// Source: docs/reference/formatting.md#indentation.
pub fn new_line(text: &str, offset: usize, options: &Options) -> Option<Edit> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(start..)?;
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?.trim_end_matches('\r');
    if !line.trim().is_empty() {
        return None;
    }
    let before: Vec<&str> = text.get(..start)?.lines().collect();
    let above = before.iter().rposition(|line| !line.trim().is_empty())?;
    let is_json = text.trim_start().starts_with('{');
    let wanted = if is_json { json(&before, above, options) } else { yaml(&before, above, options) };
    (wanted != line).then(|| Edit { range: start..start + line.len(), text: wanted })
}

fn json(before: &[&str], above: usize, options: &Options) -> String {
    let line = before.get(above).copied().unwrap_or_default();
    let own = indent(line);
    if !line.trim_end().ends_with(['{', '[']) {
        return own.to_owned();
    }
    let step = match options.indent {
        Auto::Set(step) => step,
        Auto::Auto if before.iter().any(|line| line.starts_with('\t')) => Step::Tab,
        Auto::Auto => step_of(before).map_or(options.default_indent, Step::Spaces),
    };
    match step {
        Step::Tab => format!("{own}\t"),
        Step::Spaces(count) => format!("{own}{}", " ".repeat(usize::from(count))),
    }
}

fn yaml(before: &[&str], above: usize, options: &Options) -> String {
    let spaces = |count: usize| " ".repeat(count);
    let line = before.get(above).copied().unwrap_or_default();
    // The content of a block scalar continues in its column.
    if let Some(header) = header_of(before, above) {
        let column = width(line);
        return if header == above { spaces(entry_column(line) + step(before, options)) } else { spaces(column) };
    }
    let plain = without_comment(line).trim_end();
    let opens = plain.ends_with(['[', '{']);
    let (column, is_item) = (entry_column(line), plain.trim_start().starts_with("- ") || plain.trim() == "-");
    if opens || expects_value(plain) {
        return spaces(column + step(before, options));
    }
    // After a scalar item comes the next dash; after an entry of a mapping another one in its column.
    let is_scalar_item = is_item && !has_key(plain.trim_start().trim_start_matches(['-', ' ']));
    spaces(if is_scalar_item { width(line) } else { column })
}

fn step(before: &[&str], options: &Options) -> usize {
    match (options.indent, options.default_indent) {
        (Auto::Set(Step::Spaces(count)), _) => usize::from(count),
        (_, Step::Spaces(count)) => step_of(before).unwrap_or(count).into(),
        (_, Step::Tab) => step_of(before).unwrap_or(2).into(),
    }
}

/// Returns the most frequent step from a line to a deeper one behind it.
fn step_of(lines: &[&str]) -> Option<u8> {
    let mut steps = Majority::default();
    let mut last: Option<&str> = None;
    for line in lines.iter().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')) {
        if let Some(last) = last {
            let more = width(line).saturating_sub(entry_column(last));
            let opens = expects_value(without_comment(last).trim_end()) || last.trim_end().ends_with(['{', '[']);
            if opens && (1..=8).contains(&more) && !line.trim_start().starts_with("- ") {
                steps.add(more as u8);
            }
        }
        last = Some(line);
    }
    steps.value()
}

/// Returns the line with the header of the block scalar that a line is in or begins.
fn header_of(before: &[&str], above: usize) -> Option<usize> {
    let own = before.get(above)?;
    if is_header(own) {
        return Some(above);
    }
    let mut column = width(own);
    for at in (0..above).rev() {
        let line = before.get(at)?;
        if line.trim().is_empty() || width(line) >= column {
            continue;
        }
        if is_header(line) {
            return Some(at);
        }
        column = width(line);
    }
    None
}

fn is_header(line: &str) -> bool {
    let plain = without_comment(line).trim_end();
    let Some(word) = plain.rsplit([' ', '\t']).next() else { return false };
    let is_indicator = |c: char| matches!(c, '+' | '-') || c.is_ascii_digit();
    let has_sign = word.starts_with(['|', '>']) && word.chars().skip(1).all(is_indicator);
    let in_front = plain.get(..plain.len() - word.len()).unwrap_or_default().trim_end();
    has_sign && (in_front.ends_with([':', '-']) || in_front.rsplit(' ').next().is_some_and(|tag| tag.starts_with('!')))
}

/// Returns `true` if a line ends with a key, or with a tag or anchor behind it.
fn expects_value(line: &str) -> bool {
    let mut rest = line;
    while let Some((front, word)) = rest.rsplit_once(' ') {
        let is_property = word.starts_with('!') || word.starts_with('&');
        if !is_property {
            break;
        }
        rest = front.trim_end();
    }
    rest.ends_with(':') || rest.len() < line.len() && rest.trim_start().trim_start_matches("- ").trim() == "-"
}

fn has_key(text: &str) -> bool {
    text.contains(": ") || text.ends_with(':')
}

/// Returns the column of the key of a line, behind its dashes.
fn entry_column(line: &str) -> usize {
    let mut rest = line.trim_start_matches(' ');
    while let Some(behind) = rest.strip_prefix("- ") {
        rest = behind.trim_start_matches(' ');
    }
    line.len() - rest.len()
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    line.split(" #").next().unwrap_or_default()
}

fn indent(line: &str) -> &str {
    line.get(..width(line)).unwrap_or_default()
}

fn width(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn goes_to(before: &str, column: usize) {
        let text = format!("{before}\n\nX: 1\n");
        let edit = new_line(&text, before.len() + 1, &Options::default());
        let found = edit.map_or(0, |edit| edit.text.len());
        assert_eq!(found, column, "{before}");
    }

    #[test]
    fn a_new_line_of_yaml_is_at_the_next_entry() {
        goes_to("Resources:", 2);
        goes_to("Resources:\n    A:", 8);
        goes_to("Resources:\n  A:\n    Type: x", 4);
        goes_to("A:\n  - x", 2);
        goes_to("A:\n  - Key: x", 4);
        goes_to("A:\n  - Key:", 6);
        goes_to("A: !If", 2);
        goes_to("A: [", 2);
        goes_to("A: |", 2);
        goes_to("A:\n  B: |\n      text:", 6);
        goes_to("A:\n  B: 1 # why:", 2);
        goes_to("A: 1", 0);
    }

    #[test]
    fn a_new_line_of_json_is_at_the_next_entry() {
        goes_to("{", 2);
        goes_to("{\n    \"A\": {\n        \"B\": [", 12);
        goes_to("{\n    \"A\": 1,", 4);
        goes_to("{\n\t\"A\": {", 2);
    }

    #[test]
    fn lines_that_are_not_empty_stay() {
        assert_eq!(new_line("A:\nB: 1\n", 3, &Options::default()), None);
        assert_eq!(new_line("A:\n  \n", 3, &Options::default()), None);
        assert_eq!(new_line("", 0, &Options::default()), None);
    }
}
