//! Source text in which secrets and omitted parts are replaced.

use std::ops::Range;

pub(crate) use formwork_base::display::MASK;

/// A part of a file with its replacement. Line breaks are kept, so that lines keep their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    pub(crate) range: Range<usize>,
    /// The replacement; [`MASK`] takes precedence over everything that overlaps.
    pub(crate) shown: &'static str,
}

/// A piece of source text in which parts are replaced, with the mapping of positions.
pub(crate) struct Masked {
    pub(crate) text: String,
    /// Start and end in the source, start and end in the masked text, bytes of the replacement; by position.
    cuts: Vec<(usize, usize, usize, usize, usize)>,
}

impl Masked {
    /// Replaces parts of `text`. Overlapping parts are replaced together.
    pub(crate) fn new(text: &str, mut cuts: Vec<Cut>) -> Masked {
        cuts.retain(|cut| !cut.range.is_empty());
        cuts.sort_by_key(|cut| cut.range.start);
        cuts.dedup_by(|next, cut| {
            let overlaps = next.range.start < cut.range.end;
            if overlaps {
                cut.range.end = cut.range.end.max(next.range.end);
                if next.shown == MASK {
                    cut.shown = MASK;
                }
            }
            overlaps
        });
        let (mut masked, mut known, mut at) = (String::new(), Vec::new(), 0);
        for Cut { range, shown } in cuts {
            masked.push_str(text.get(at..range.start).unwrap_or_default());
            let start = masked.len();
            masked.push_str(shown);
            let breaks = text.as_bytes().get(range.clone()).unwrap_or_default().iter().filter(|&&byte| byte == b'\n');
            masked.extend(breaks.map(|_| '\n'));
            known.push((range.start, range.end, start, masked.len(), shown.len()));
            at = range.end;
        }
        masked.push_str(text.get(at..).unwrap_or_default());
        Masked { text: masked, cuts: known }
    }

    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offset(range.start, false);
        start..self.offset(range.end, true).max(start)
    }

    fn offset(&self, at: usize, is_end: bool) -> usize {
        let mut shift = 0_isize;
        for &(start, end, masked, masked_end, shown) in &self.cuts {
            if at < start {
                break;
            }
            if at < end || is_end && at == end {
                return if is_end && at > start { masked + shown } else { masked };
            }
            shift = masked_end as isize - end as isize;
        }
        at.saturating_add_signed(shift).min(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str, secrets: &[Range<usize>]) -> Masked {
        Masked::new(text, secrets.iter().map(|range| Cut { range: range.clone(), shown: MASK }).collect())
    }

    #[test]
    fn overlapping_secrets_are_masked_together() {
        assert_eq!(masked("abcdefgh", &[1..4, 2..3, 3..6]).text, "a****gh");
    }

    #[test]
    fn a_secret_is_masked_where_a_part_of_it_is_left_out() {
        let secret = Cut { range: 4..9, shown: MASK };
        for left_out in [2..6, 6..12, 5..7, 0..14] {
            let cuts = vec![Cut { range: left_out, shown: "..." }, secret.clone()];
            let text = Masked::new("0123secret89ab", cuts).text;
            assert!(text.contains(MASK) && !text.contains(['s', 'e', 'c', 'r']), "{text}");
        }
    }

    #[test]
    fn masks_and_moves() {
        let masked = masked("a: secret # b", std::slice::from_ref(&(3..9)));
        assert_eq!(masked.text, "a: **** # b");
        assert_eq!(masked.range(3..9), 3..7);
        assert_eq!(masked.range(12..13), 10..11);
        assert_eq!(masked.range(0..1), 0..1);
        assert_eq!(masked.range(4..6), 3..7);
    }

    #[test]
    fn ranges_behind_a_secret_of_several_lines_move_with_its_line_breaks() {
        let masked = masked("a: |\n  one\n  two\nb: c", std::slice::from_ref(&(3..16)));
        assert_eq!(masked.text, "a: ****\n\n\nb: c");
        assert_eq!(&masked.text[masked.range(17..18)], "b");
        assert_eq!(&masked.text[masked.range(7..16)], "****");
    }
}
