//! Intervals that are nested or disjoint, and lookup of those that contain a position.

use formwork_base::Span;

/// Intervals by their starts, each with the one around it.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    sorted: Vec<Interval>,
}

#[derive(Debug)]
struct Interval {
    span: Span,
    owner: usize,
    around: Option<usize>,
}

impl Intervals {
    /// Sorts intervals with their owners. Of two that overlap, one contains the other.
    pub(super) fn new(mut spans: Vec<(Span, usize)>) -> Intervals {
        spans.sort_by_key(|(span, owner)| (span.start(), std::cmp::Reverse(span.end()), *owner));
        let mut sorted: Vec<Interval> = Vec::with_capacity(spans.len());
        for (span, owner) in spans {
            let mut around = sorted.len().checked_sub(1);
            while let Some(at) = around.filter(|&at| sorted[at].span.end() <= span.start()) {
                around = sorted[at].around;
            }
            sorted.push(Interval { span, owner, around });
        }
        Intervals { sorted }
    }

    /// Returns the owners of the intervals that contain a position, from the innermost outward.
    pub(super) fn containing(&self, position: u32) -> impl Iterator<Item = usize> {
        let last = self.sorted.partition_point(|interval| interval.span.start() <= position).checked_sub(1);
        let outward = std::iter::successors(last, |&at| self.sorted[at].around);
        outward.map(|at| &self.sorted[at]).filter(move |one| position < one.span.end()).map(|one| one.owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_in_all_intervals_around_it() {
        let spans = [(0, 100), (10, 50), (10, 20), (20, 30), (60, 70), (60, 70)];
        let spans = spans.iter().enumerate().map(|(at, &(start, end))| (Span::new(start, end), at)).collect();
        let intervals = Intervals::new(spans);
        let at = |position| intervals.containing(position).collect::<Vec<_>>();
        assert_eq!(at(5), [0]);
        assert_eq!(at(12), [2, 1, 0]);
        assert_eq!(at(25), [3, 1, 0]);
        assert_eq!(at(55), [0]);
        assert_eq!(at(65), [5, 4, 0]);
        assert!(at(100).is_empty());
    }
}
