//! Text around or beside a template that was copied with it: line numbers, fences of Markdown, a prompt of a shell, a here
//! document, the columns of a diff. It is one error, and the template is read without it.

use std::ops::Range;

use super::outline::Line;

/// Text that was copied with a template.
pub(super) struct Pasted {
    pub(super) what: &'static str,
    pub(super) help: &'static str,
    /// The first part of it.
    pub(super) place: Range<usize>,
    /// The parts to leave out, in order.
    pub(super) omitted: Vec<Range<usize>>,
}

const FENCES: [&str; 2] = ["```", "~~~"];

/// Returns a text with spaces in place of what was copied with its template; `None` for a template alone.
pub fn without_pasted(source: &str) -> Option<String> {
    let pasted = find(source)?;
    let mut text = source.to_owned();
    for range in pasted.omitted {
        let blank: String =
            source.get(range.clone())?.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
        text.replace_range(range, &blank);
    }
    Some(text)
}

/// Returns what was copied with a template, by its first line.
pub(super) fn find(source: &str) -> Option<Pasted> {
    let text = source.trim_start();
    let start = source.len() - text.len();
    match text.chars().next()? {
        '`' | '~' => fences(source, start),
        '$' | '%' | '>' | 'c' => prompt(source, start),
        '0'..='9' => line_numbers(source),
        '+' | '-' | '@' | 'd' => diff(source),
        _ if source.starts_with(' ') => diff(source),
        _ => None,
    }
}

/// Returns a mark that closes what was copied with a template, at the line of an offset.
pub(super) fn end_mark(source: &str, offset: usize) -> Option<Pasted> {
    let line = content(source, Line::of(source, offset).range)?;
    let text = &source[line.clone()];
    let (what, help) = match () {
        () if FENCES.contains(&text) => (FENCE, "remove the line"),
        () if is_conflict_mark(text) => ("a mark of a merge conflict is left", "remove the line"),
        () if ["EOF", "EOT", "YAML"].contains(&text) && source[line.end..].trim().is_empty() => {
            (HERE, "remove the line")
        }
        () => return None,
    };
    Some(Pasted { what, help, place: line.clone(), omitted: vec![line] })
}

const FENCE: &str = "a fence of Markdown is not a part of a template";
const HERE: &str = "the end of a here document is not a part of a template";

fn is_conflict_mark(text: &str) -> bool {
    let mark = text.trim_start_matches(['<', '>', '=', '|']);
    text.len() - mark.len() == 7 && (mark.is_empty() || mark.starts_with(' '))
}

fn fences(source: &str, start: usize) -> Option<Pasted> {
    let line = content(source, Line::of(source, start).range)?;
    let fence = *FENCES.iter().find(|fence| source[line.clone()].starts_with(**fence))?;
    let mut omitted = vec![line.clone()];
    omitted.extend(last_line(source).filter(|last| source[last.clone()] == *fence && last.start > line.start));
    Some(Pasted { what: FENCE, help: "remove the lines with the fences", place: line, omitted })
}

/// Matches `$ cat template.yaml`, and `cat > template.yaml <<EOF`.
fn prompt(source: &str, start: usize) -> Option<Pasted> {
    let line = content(source, Line::of(source, start).range)?;
    let text = &source[line.clone()];
    let mut omitted = vec![line.clone()];
    if let Some((_, word)) = text.split_once("<<").filter(|_| text.contains("cat ")) {
        let word = word.trim_start_matches('-').split_whitespace().next()?.trim_matches(['\'', '"']);
        omitted.extend(last_line(source).filter(|last| source[last.clone()] == *word && last.start > line.start));
        let what = "a command of a shell is around the template";
        return Some(Pasted { what, help: "remove its first and its last line", place: line, omitted });
    }
    let is_prompt = ["$ ", "% ", "> "].iter().any(|mark| text.starts_with(mark)) && !text.ends_with(':');
    let what = "a command of a shell is above the template";
    is_prompt.then_some(Pasted { what, help: "remove the line", place: line, omitted })
}

/// Matches lines with numbers in front of them, one more in each line.
fn line_numbers(source: &str) -> Option<Pasted> {
    let (mut omitted, mut next, mut width, mut is_template) = (Vec::new(), None, None, false);
    for line in lines(source) {
        let text = &source[line.clone()];
        if text.trim().is_empty() {
            continue;
        }
        let digits = text.trim_start_matches(' ');
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let number: u64 = digits[..digits.len() - rest.len()].parse().ok()?;
        if next.is_some_and(|next| next != number) {
            return None;
        }
        next = Some(number + 1);
        let rest = rest.trim_start_matches(' ').strip_prefix(['|', ':']).unwrap_or(rest);
        let rest = rest.strip_prefix(['\t', ' ']).unwrap_or(rest);
        is_template |=
            ["Resources:", "AWSTemplateFormatVersion:", "Type:"].iter().any(|key| rest.trim().starts_with(key));
        let prefix = text.len() - rest.len();
        if *width.get_or_insert(prefix) != prefix && !rest.trim().is_empty() {
            // The columns are lost: nothing more can be read.
            omitted.clear();
            omitted.push(0..source.len());
            width = None;
        }
        if width.is_some() {
            omitted.push(line.start..line.start + prefix);
        }
        if width.is_none() {
            width = Some(prefix);
        }
    }
    if omitted.iter().any(|range| range.len() == source.len()) {
        omitted.truncate(1);
    }
    let place = content(source, Line::of(source, omitted.first()?.start).range)?;
    let place = place.start..place.start + source[place.clone()].find(|c: char| !c.is_ascii_digit()).unwrap_or(1);
    let help = "remove the number in front of each line";
    is_template.then_some(Pasted { what: "the lines have numbers in front of them", help, place, omitted })
}

/// Matches the columns of a diff: `+` in front of new lines, and another character in front of each line.
fn diff(source: &str) -> Option<Pasted> {
    let mut omitted = Vec::new();
    let mut place = None;
    for line in lines(source) {
        let text = &source[line.clone()];
        let is_head = ["diff ", "index ", "--- ", "+++ ", "@@ "].iter().any(|head| text.starts_with(head));
        match text.chars().next() {
            None | Some(' ') => {}
            Some('+') if !is_head => {
                place.get_or_insert(line.start..line.start + 1);
                omitted.push(line.start..line.start + 1);
            }
            Some(mark) if is_head || mark == '-' => omitted.push(line),
            _ => return None,
        }
    }
    let what = "the lines of a diff have its marks in front of them";
    let help = "remove the marks, and the lines behind `-`";
    Some(Pasted { what, help, place: place?, omitted })
}

fn lines(source: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    source.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

fn last_line(source: &str) -> Option<Range<usize>> {
    let end = source.trim_end().len();
    content(source, Line::of(source, end.saturating_sub(1)).range)
}

/// Returns a line without the white space around it; `None` when nothing is left.
fn content(source: &str, line: Range<usize>) -> Option<Range<usize>> {
    let text = source.get(line.clone())?;
    let start = line.end - text.trim_start().len();
    let content = text.trim();
    (!content.is_empty()).then(|| start..start + content.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a text without what was copied with it.
    fn left(source: &str) -> Option<String> {
        let text = without_pasted(source)?;
        Some(text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn what_was_copied_with_a_template_is_left_out() {
        for (source, want) in [
            ("```yaml\nResources:\n  A: b\n```\n", "Resources:\n  A: b"),
            ("$ cat t.yaml\nResources: {}\n", "Resources: {}"),
            ("cat > t.yaml <<'EOF'\nResources: {}\nEOF\n", "Resources: {}"),
            ("1 Resources:\n2   A: b\n", "  Resources:\n    A: b"),
            ("1: Resources:\n2:   A: b\n", "   Resources:\n     A: b"),
            (" Resources:\n+  A: b\n-  C: d\n", " Resources:\n   A: b"),
        ] {
            assert_eq!(left(source).as_deref(), Some(want), "{source}");
        }
        assert_eq!(left("9 Resources:\n10   A: b\n").as_deref(), Some(""));
    }

    #[test]
    fn templates_are_read_whole() {
        for source in [
            "Resources: {}\n",
            "---\nResources: {}\n",
            "- a\n",
            "1: a\n2: b\n",
            "10 a\n",
            "conditions: a\n",
            "- a\n- b\n",
            "  a: b\n",
        ] {
            assert_eq!(left(source), None, "{source}");
        }
    }

    #[test]
    fn marks_at_the_end_are_known() {
        for (text, is_mark) in [("```", true), (">>>>>>> x", true), ("EOF", true), (">>>> x", false), ("a", false)] {
            assert_eq!(end_mark(&format!("A: b\n{text}\n"), 5).is_some(), is_mark, "{text}");
        }
    }
}
