//! The changes of fixes, line by line, as a unified diff.
//!
//! Fixes change a line here and there, and seldom the number of lines. So equal lines are searched for near a change,
//! not in the whole file: the cost grows with its size, not with the square of the number of changes.

use std::fmt::Write;

use similar::DiffOp;
use similar::udiff::UnifiedHunkHeader;

/// The largest number of lines that one change removes and adds, unless it removes as many as it adds.
const NEAR: usize = 64;

const CONTEXT: usize = 3;

/// Returns the diff of two versions of a file; empty when they are the same.
pub fn unified(file: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let operations = operations(old.len(), new.len(), |one, other| old[one] == new[other]);
    let mut text = String::new();
    for hunk in similar::group_diff_ops(operations, CONTEXT) {
        if text.is_empty() {
            let _ = write!(text, "--- {file}\n+++ {file}\n");
        }
        let _ = writeln!(text, "{}", UnifiedHunkHeader::new(&hunk));
        for operation in hunk {
            if let DiffOp::Equal { .. } = operation {
                lines(&mut text, ' ', &old[operation.old_range()]);
            } else {
                lines(&mut text, '-', &old[operation.old_range()]);
                lines(&mut text, '+', &new[operation.new_range()]);
            }
        }
    }
    text
}

fn lines(text: &mut String, mark: char, lines: &[&str]) {
    for line in lines {
        text.push(mark);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Returns the steps from the old lines to the new ones; `same` compares two lines by index.
fn operations(old_len: usize, new_len: usize, mut same: impl FnMut(usize, usize) -> bool) -> Vec<DiffOp> {
    let mut operations = Vec::new();
    let (mut old_index, mut new_index) = (0, 0);
    while old_index < old_len || new_index < new_len {
        let most = (old_len - old_index).min(new_len - new_index);
        let len = (0..most).find(|&len| !same(old_index + len, new_index + len)).unwrap_or(most);
        if len > 0 {
            operations.push(DiffOp::Equal { old_index, new_index, len });
            (old_index, new_index) = (old_index + len, new_index + len);
            continue;
        }
        let (old_left, new_left) = (old_len - old_index, new_len - new_index);
        // Both end there, or continue with two equal lines.
        let mut meets = |removed: usize, added: usize| match (old_left - removed, new_left - added) {
            (0, 0) => true,
            (0, _) | (_, 0) => false,
            (left, right) => {
                let (one, other) = (old_index + removed, new_index + added);
                same(one, other) && (left == 1 || right == 1 || same(one + 1, other + 1))
            }
        };
        let near = (1..=NEAR.min(old_left + new_left)).find_map(|lines| {
            let mut ways: Vec<usize> = (lines.saturating_sub(new_left)..=lines.min(old_left)).collect();
            ways.sort_by_key(|&removed| (2 * removed).abs_diff(lines));
            ways.into_iter().find(|&removed| meets(removed, lines - removed)).map(|removed| (removed, lines - removed))
        });
        let level = || (NEAR / 2..=most).find(|&lines| meets(lines, lines)).map(|lines| (lines, lines));
        let (removed, added) = near.or_else(level).unwrap_or((old_left, new_left));
        operations.push(match (removed, added) {
            (old_len, 0) => DiffOp::Delete { old_index, old_len, new_index },
            (0, new_len) => DiffOp::Insert { old_index, new_index, new_len },
            (old_len, new_len) => DiffOp::Replace { old_index, old_len, new_index, new_len },
        });
        (old_index, new_index) = (old_index + removed, new_index + added);
    }
    operations
}

#[cfg(test)]
mod tests {
    use similar::TextDiff;

    use super::*;

    #[track_caller]
    fn is_as_a_minimal_diff(before: &str, after: &str) {
        let diff = TextDiff::from_lines(before, after);
        assert_eq!(unified("f", before, after), diff.unified_diff().context_radius(3).header("f", "f").to_string());
    }

    #[test]
    fn a_change_is_shown_as_a_minimal_diff_shows_it() {
        let lines: Vec<String> = (0..30).map(|number| format!("l{number}\n")).collect();
        let text = lines.concat();
        is_as_a_minimal_diff(&text, &text);
        is_as_a_minimal_diff(&text, &text.replace("l7\n", "x\n"));
        is_as_a_minimal_diff(&text, &text.replace("l7\nl8\n", ""));
        is_as_a_minimal_diff(&text, &text.replace("l7\n", "x\nl7\n").replace("l20\n", "a\nb\n"));
        is_as_a_minimal_diff(&text, &text.replace("l0\n", "").replace("l29\n", "end"));
        is_as_a_minimal_diff("a", "a\n");
        is_as_a_minimal_diff("a\n", "");
    }

    #[test]
    fn lines_are_compared_a_number_of_times_that_the_text_has() {
        let count = |lines: usize, differs: fn(usize) -> bool| {
            let mut count = 0;
            operations(lines, lines, |one, other| {
                count += 1;
                one == other && !differs(one)
            });
            count
        };
        for differs in [|at: usize| at % 3 == 2, |at: usize| at % 7 < 4, |_: usize| true] {
            let (once, tenfold) = (count(2000, differs), count(20_000, differs));
            assert!(tenfold <= 11 * once, "{once} to {tenfold}");
        }
    }
}
