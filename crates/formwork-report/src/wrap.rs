//! Notes and helps on a terminal: wrapped between words, indented by `annotate-snippets`.

use crate::Context;

/// The narrowest column in which words are still wrapped.
const LEAST: usize = 24;
/// The width of `  = note: ` beside the line number.
const LABEL: usize = 10;

/// Wraps the words of a note or help. `last_line` is the greatest line number of its frame, whose digits indent it.
pub(crate) fn wrapped(text: &str, context: &Context<'_>, last_line: u32) -> String {
    let Some(width) = context.width else { return text.to_owned() };
    let digits = last_line.checked_ilog10().map_or(0, |digits| digits as usize + 1);
    lines(text, width.saturating_sub(LABEL + digits).max(LEAST))
}

/// Breaks a text into lines of at most `width` characters where words allow it. A word is never cut.
fn lines(text: &str, width: usize) -> String {
    let (mut wrapped, mut column) = (String::with_capacity(text.len() + text.len() / width + 1), 0);
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 {
            let is_full = column + 1 + length > width;
            wrapped.push(if is_full { '\n' } else { ' ' });
            column = if is_full { 0 } else { column + 1 };
        }
        wrapped.push_str(word);
        column += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_lines_short() {
        let text =
            "CloudFormation: `Template format error: Unresolved resource dependencies [Stage] in the Resources block`";
        for width in [24, 50, 110] {
            let wrapped = lines(text, width);
            assert_eq!(wrapped.replace('\n', " "), text);
            assert!(wrapped.lines().all(|line| line.chars().count() <= width), "{wrapped}");
        }
        assert_eq!(lines("", 24), "");
        let long = "x".repeat(200);
        assert_eq!(lines(&format!("a {long} b"), 24), format!("a\n{long}\nb"));
    }
}
