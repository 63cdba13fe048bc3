//! The visible part of a long line: a window around each label (reference/diagnostics.md#forms).

use std::ops::Range;

use crate::mask::Cut;

/// Lines of at most this many bytes are shown whole.
const LONG: usize = 400;

/// Characters that are shown on either side of a label, at most as many as a line of the report has.
const WIDE: usize = 140;

/// Characters that are shown on the sides of two labels that face each other, so that both fit in a line.
const BETWEEN: usize = 30;

/// Returns the parts of a line that are not shown: all but the surroundings of its labels, and the middle of a long
/// label. Of a line without labels the beginning is shown.
pub(crate) fn left_out(line: &str, labels: impl Iterator<Item = Range<usize>>) -> Vec<Cut> {
    if line.len() <= LONG {
        return Vec::new();
    }
    let mut labels: Vec<Range<usize>> = labels.collect();
    labels.sort_by_key(|label| label.start);
    let last = labels.len().saturating_sub(1);
    let mut windows: Vec<Range<usize>> = Vec::new();
    for (at, Range { start, end }) in labels.into_iter().enumerate() {
        let before = back(line, start, if at == 0 { WIDE } else { BETWEEN });
        let after = forward(line, end, if at == last { WIDE } else { BETWEEN });
        if end - start > 2 * WIDE {
            windows.extend([before..forward(line, start, WIDE / 2), back(line, end, WIDE / 2)..after]);
        } else {
            windows.push(before..after);
        }
    }
    if windows.is_empty() {
        windows.push(0..forward(line, 0, 2 * WIDE));
    }
    windows.sort_by_key(|window| window.start);
    let (mut cuts, mut at) = (Vec::new(), 0);
    for window in windows {
        if window.start > at {
            // The renderer marks the cut in front of the first window.
            cuts.push(Cut { range: at..window.start, shown: if at == 0 { "" } else { "..." } });
        }
        at = at.max(window.end);
    }
    if at < line.len() {
        cuts.push(Cut { range: at..line.len(), shown: "" });
    }
    cuts
}

fn back(line: &str, at: usize, count: usize) -> usize {
    let before = line.get(..at).unwrap_or_default();
    before.char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at)
}

fn forward(line: &str, at: usize, count: usize) -> usize {
    let after = line.get(at..).unwrap_or_default();
    after.char_indices().nth(count).map_or(line.len(), |(more, _)| at + more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Masked;

    fn shown(line: &str, labels: &[Range<usize>]) -> String {
        Masked::new(line, left_out(line, labels.iter().cloned())).text
    }

    #[test]
    fn lines_are_cut_around_their_labels() {
        let line = format!("{}é{}", "a".repeat(5000), "b".repeat(5000));
        let label = 5000..5002;
        let expected = format!("{}é{}", "a".repeat(140), "b".repeat(140));
        assert_eq!(shown(&line, std::slice::from_ref(&label)), expected);
        let two = shown(&line, &[label, 9999..10002]);
        assert_eq!(two, format!("{}é{}...{}", "a".repeat(140), "b".repeat(30), "b".repeat(33)));
        assert_eq!(shown(&line, &[]), "a".repeat(280));
        assert_eq!(shown(&"é".repeat(200), &[]), "é".repeat(200), "not long");
    }

    #[test]
    fn a_long_label_shows_its_ends() {
        let line = "x".repeat(5000);
        assert_eq!(shown(&line, std::slice::from_ref(&(0..5000))), format!("{0}...{0}", "x".repeat(70)));
    }
}
