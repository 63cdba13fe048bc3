//! Edits between two versions of a file that differ in white space.

use std::ops::Range;

/// A replacement of a range of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The range of bytes that is replaced.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Returns the smallest edits that turn `before` into `after`, in order. Both must have the same bytes but for white
/// space, as with [`crate::format()`]; otherwise one edit replaces everything behind the first difference.
pub fn edits(before: &str, after: &str) -> Vec<Edit> {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let (mut at, mut to) = (0, 0);
    let mut edits = Vec::new();
    while at < old.len() || to < new.len() {
        let (gap, other) = (blank(old, at), blank(new, to));
        if old.get(at..gap) != new.get(to..other) {
            edits.extend(smallest(before, after, at..gap, to..other));
        }
        (at, to) = (gap, other);
        while at < old.len() && old.get(at) == new.get(to) && !is_blank(old.get(at)) {
            (at, to) = (at + 1, to + 1);
        }
        let is_gap = |bytes: &[u8], at: usize| at == bytes.len() || is_blank(bytes.get(at));
        if !is_gap(old, at) || !is_gap(new, to) {
            while !before.is_char_boundary(at) || !after.is_char_boundary(to) {
                (at, to) = (at.saturating_sub(1), to.saturating_sub(1));
            }
            let text = after.get(to..).unwrap_or_default().to_owned();
            edits.push(Edit { range: at..old.len(), text });
            break;
        }
    }
    edits
}

fn is_blank(byte: Option<&u8>) -> bool {
    matches!(byte, Some(b' ' | b'\t' | b'\n' | b'\r'))
}

fn blank(bytes: &[u8], mut at: usize) -> usize {
    while is_blank(bytes.get(at)) {
        at += 1;
    }
    at
}

/// Returns the edit of a gap, without the common start and end.
fn smallest(before: &str, after: &str, old: Range<usize>, new: Range<usize>) -> Option<Edit> {
    let (was, is) = (before.get(old.clone())?, after.get(new)?);
    let front = was.bytes().zip(is.bytes()).take_while(|(a, b)| a == b).count();
    let (left, right) = (was.get(front..)?, is.get(front..)?);
    let back = left.bytes().rev().zip(right.bytes().rev()).take_while(|(a, b)| a == b).count();
    let text = right.get(..right.len() - back)?.to_owned();
    Some(Edit { range: old.start + front..old.end - back, text })
}

pub(crate) fn apply<'e>(text: &str, edits: impl IntoIterator<Item = &'e Edit>) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        out.push_str(text.get(at..edit.range.start).unwrap_or_default());
        out.push_str(&edit.text);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_as_small_as_they_can_be() {
        let (before, after) = ("a:   1\nb:\n    - x  \n\n\n", "a: 1\nb:\n  - x\n");
        let found = edits(before, after);
        assert_eq!(apply(before, &found), after);
        let ranges: Vec<_> = found.iter().map(|edit| (edit.range.clone(), edit.text.as_str())).collect();
        assert_eq!(ranges, [(3..5, ""), (12..14, ""), (17..21, "")]);
    }

    #[test]
    fn other_texts_are_replaced_from_where_they_differ() {
        for (before, after) in [("a: é", "a: è"), ("a", ""), ("", "b"), ("x y", "x yz")] {
            assert_eq!(apply(before, &edits(before, after)), after, "{before}");
        }
    }
}
