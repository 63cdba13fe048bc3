//! Lines of a text.

/// Returns the offset of the end of the line with an offset.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |found| at + found)
}

/// Returns the offset of the start of the line with an offset.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |found| found + 1)
}

/// Returns the offset behind the line break at an offset.
pub(crate) fn behind_break(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with(['\n', '\r'])) }
}

/// Returns the column of an offset, in characters.
pub(crate) fn column(text: &str, at: usize) -> usize {
    text[line_start(text, at)..at].chars().count()
}

pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Returns the lines of a text without their breaks.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = (!text.is_empty()).then_some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = line_end(text, 0);
        let next = behind_break(text, end);
        rest = (next < text.len()).then(|| &text[next..]);
        Some(&text[..end])
    })
}

/// Appends lines, each moved by some columns. A line with less indentation than it is to lose, such as a comment, loses
/// what it has.
pub(crate) fn push_shifted(out: &mut String, text: &str, shift: isize, newline: &str) {
    for line in lines(text) {
        push_line(out, line, shift);
        out.push_str(newline);
    }
}

pub(crate) fn push_line(out: &mut String, line: &str, shift: isize) {
    if line.is_empty() {
        return;
    }
    if shift >= 0 {
        out.extend(std::iter::repeat_n(' ', shift.unsigned_abs()));
        out.push_str(line);
    } else {
        out.push_str(&line[indent(line).min(shift.unsigned_abs())..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_any_break() {
        assert_eq!(lines("a\r\nb\n\nc\rd").collect::<Vec<_>>(), ["a", "b", "", "c", "d"]);
        assert_eq!(lines("a\n").collect::<Vec<_>>(), ["a"]);
        assert_eq!(lines("").count(), 0);
    }

    #[test]
    fn lines_are_moved_together() {
        let moved = |text: &str, shift: isize| {
            let mut out = String::new();
            push_shifted(&mut out, text, shift, "\n");
            out
        };
        assert_eq!(moved("a:\n  b\n\n  \n", 2), "  a:\n    b\n\n    \n");
        assert_eq!(moved("    a:\n# c\n      b", -2), "  a:\n# c\n    b\n");
    }
}
