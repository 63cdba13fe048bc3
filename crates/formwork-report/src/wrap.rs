//! Lines on a terminal: wrapped between words. Notes and helps are indented by `annotate-snippets`.

use std::borrow::Cow;

use crate::Context;

/// The narrowest column in which words are still wrapped.
const LEAST: usize = 24;
/// The width of `  = note: ` beside the line number.
const LABEL: usize = 10;

/// Wraps the words of a note or help. `last_line` is the greatest line number of its frame, whose digits indent it.
pub(crate) fn wrapped(text: &str, context: &Context<'_>, last_line: u32) -> String {
    let Some(width) = context.width else { return text.to_owned() };
    let digits = last_line.checked_ilog10().map_or(0, |digits| digits as usize + 1);
    lines_of_words(text, width.saturating_sub(LABEL + digits).max(LEAST))
}

/// Breaks a text into lines of at most `width` characters where words allow it. A word is never cut.
pub fn lines_of_words(text: &str, width: usize) -> String {
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

/// The narrowest terminal for which lines are wrapped.
const NARROWEST: usize = 40;
/// The indentation of what is wrapped below the beginning of its line.
const HANGING: usize = 4;

/// Breaks lines that are wider than a terminal at spaces, and indents what follows. A word is never cut; sequences that
/// set colors have no width. Terminals below 40 columns are treated as having 40.
pub fn fold(text: &str, width: usize) -> Cow<'_, str> {
    let width = width.max(NARROWEST);
    if text.lines().all(|line| shown_width(line) <= width) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len() + text.len() / width * (HANGING + 1));
    for line in text.split_inclusive('\n') {
        if shown_width(line.trim_end_matches('\n')) <= width {
            folded.push_str(line);
        } else {
            fold_line(line, width, &mut folded);
        }
    }
    Cow::Owned(folded)
}

fn fold_line(line: &str, width: usize, folded: &mut String) {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let hanging = (indent + HANGING).min(width / 2);
    let (start, rest) = line.split_at(indent);
    folded.push_str(start);
    let (mut column, mut spaces, mut is_first) = (indent, 0, true);
    for word in rest.split(' ') {
        if word.is_empty() && !is_first {
            spaces += 1;
            continue;
        }
        let length = shown_width(word.trim_end_matches('\n'));
        if !is_first && column + spaces + length > width && column + spaces > hanging {
            folded.push('\n');
            folded.extend(std::iter::repeat_n(' ', hanging));
            column = hanging;
        } else {
            folded.extend(std::iter::repeat_n(' ', spaces));
            column += spaces;
        }
        folded.push_str(word);
        (column, spaces, is_first) = (column + length, 1, false);
    }
}

/// Returns the number of characters of a line without sequences that set colors.
fn shown_width(line: &str) -> usize {
    let (mut width, mut is_style) = (0, false);
    for c in line.chars() {
        match c {
            '\u{1b}' => is_style = true,
            'm' if is_style => is_style = false,
            _ if is_style => {}
            _ => width += 1,
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded_at_spaces_at_any_width() {
        let text = "  error: the stack shop-production-eu-west-1 cannot be deleted\u{1b}[1m because\u{1b}[0m its export is in use\nshort\n";
        for width in 40..120 {
            let folded = fold(text, width);
            assert!(folded.lines().all(|line| shown_width(line) <= width), "{width}: {folded}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&folded), words(text), "{width}");
            assert!(folded.ends_with("\nshort\n"), "{folded}");
        }
        assert!(matches!(fold(text, 200), Cow::Borrowed(_)));
        let long = format!("{} b\n", "x".repeat(50));
        assert_eq!(fold(&long, 10), format!("{}\n    b\n", "x".repeat(50)));
        assert_eq!(fold("a   b", 40), "a   b");
    }

    #[test]
    fn words_stay_whole_and_lines_short() {
        let text =
            "CloudFormation: `Template format error: Unresolved resource dependencies [Stage] in the Resources block`";
        for width in [24, 50, 110] {
            let wrapped = lines_of_words(text, width);
            assert_eq!(wrapped.replace('\n', " "), text);
            assert!(wrapped.lines().all(|line| line.chars().count() <= width), "{wrapped}");
        }
        assert_eq!(lines_of_words("", 24), "");
        let long = "x".repeat(200);
        assert_eq!(lines_of_words(&format!("a {long} b"), 24), format!("a\n{long}\nb"));
    }
}
