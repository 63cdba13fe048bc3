//! Source text without its secrets.

use std::ops::Range;

use formwork_base::Span;

/// What stands in the place of a secret.
const MASK: &str = "****";

/// A piece of source text in which secrets are masked, and where its bytes went.
pub(crate) struct Masked {
    pub(crate) text: String,
    /// Start and end in the source, start and end in the masked text; by position.
    cuts: Vec<(usize, usize, usize, usize)>,
}

impl Masked {
    /// Masks `text`, whose first byte has the position `base`.
    pub(crate) fn new(text: &str, base: u32, secrets: &[Span]) -> Masked {
        let end = base + text.len() as u32;
        let mut inside: Vec<Range<usize>> = secrets
            .iter()
            .filter(|secret| !secret.is_empty() && secret.start() < end && secret.end() > base)
            .map(|secret| (secret.start().max(base) - base) as usize..(secret.end().min(end) - base) as usize)
            .collect();
        inside.sort_by_key(|range| range.start);
        let (mut masked, mut cuts, mut at) = (String::with_capacity(text.len()), Vec::new(), 0);
        inside.dedup_by(|next, range| {
            let overlaps = next.start < range.end;
            if overlaps {
                range.end = range.end.max(next.end);
            }
            overlaps
        });
        for range in inside {
            masked.push_str(text.get(at..range.start).unwrap_or_default());
            let start = masked.len();
            masked.push_str(MASK);
            // Line breaks stay, so that lines keep their numbers.
            masked.extend(text.get(range.clone()).unwrap_or_default().chars().filter(|c| *c == '\n'));
            cuts.push((range.start, range.end, start, masked.len()));
            at = range.end;
        }
        masked.push_str(text.get(at..).unwrap_or_default());
        Masked { text: masked, cuts }
    }

    /// Where a range of the source went.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offset(range.start, false);
        start..self.offset(range.end, true).max(start)
    }

    fn offset(&self, at: usize, is_end: bool) -> usize {
        let mut shift = 0_isize;
        for &(start, end, masked, masked_end) in &self.cuts {
            if at < start {
                break;
            }
            if at < end || is_end && at == end {
                return if is_end && at > start { masked + MASK.len() } else { masked };
            }
            shift = masked_end as isize - end as isize;
        }
        at.saturating_add_signed(shift).min(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_secrets_are_masked_together() {
        let masked = Masked::new("abcdefgh", 0, &[Span::new(1, 4), Span::new(2, 3), Span::new(3, 6)]);
        assert_eq!(masked.text, "a****gh");
    }

    #[test]
    fn masks_and_moves() {
        let text = "a: secret # b";
        let masked = Masked::new(text, 10, &[Span::new(13, 19)]);
        assert_eq!(masked.text, "a: **** # b");
        assert_eq!(masked.range(3..9), 3..7);
        assert_eq!(masked.range(12..13), 10..11);
        assert_eq!(masked.range(0..1), 0..1);
        assert_eq!(masked.range(4..6), 3..7);
    }

    #[test]
    fn ranges_behind_a_secret_of_several_lines_move_with_its_line_breaks() {
        let masked = Masked::new("a: |\n  one\n  two\nb: c", 0, &[Span::new(3, 16)]);
        assert_eq!(masked.text, "a: ****\n\n\nb: c");
        assert_eq!(&masked.text[masked.range(17..18)], "b");
        assert_eq!(&masked.text[masked.range(7..16)], "****");
    }
}
