//! Lines of a file.

use std::ops::Range;

use crate::options::{Auto, LineEnding};

/// Returns the ranges of all lines, without their line endings. A file that ends with a line break has an empty last
/// line.
pub(crate) fn lines(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte == b'\n' || byte == b'\r' {
            lines.push(start..at - 1);
            at += usize::from(byte == b'\r' && bytes.get(at) == Some(&b'\n'));
            start = at;
        }
    }
    lines.push(start..text.len());
    lines
}

pub(crate) fn ending(text: &str, setting: Auto<LineEnding>) -> &'static str {
    let first = || {
        let end = text.find(['\n', '\r'])?;
        let rest = text.get(end..)?;
        Some(if rest.starts_with("\r\n") { LineEnding::CrLf } else { LineEnding::Lf })
    };
    setting.or_majority(first, LineEnding::Lf).text()
}

pub(crate) fn leading_spaces(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b' ').count()
}

/// Returns the number of characters, the unit of columns.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_break_ends_a_line() {
        let text = "a\nb\r\nc\rd\n";
        let found: Vec<&str> = lines(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["a", "b", "c", "d", ""]);
    }
}
