//! A set of places with a search for places inside of others, and around them.

use crate::Span;

/// Places of files, by their starts.
#[derive(Clone, Debug, Default)]
pub struct SpanSet {
    /// Each place with the least end of it and all after it, and the greatest end of it and all before it.
    by_start: Vec<(Span, u32, u32)>,
}

impl FromIterator<Span> for SpanSet {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> SpanSet {
        let spans = spans.into_iter().filter(|span| !span.is_none());
        let mut by_start: Vec<(Span, u32, u32)> = spans.map(|span| (span, span.end(), span.end())).collect();
        by_start.sort_unstable_by_key(|(span, ..)| (span.start(), span.end()));
        let mut least = u32::MAX;
        for (_, end, _) in by_start.iter_mut().rev() {
            least = least.min(*end);
            *end = least;
        }
        let mut greatest = 0;
        for (_, _, end) in &mut by_start {
            greatest = greatest.max(*end);
            *end = greatest;
        }
        SpanSet { by_start }
    }
}

impl SpanSet {
    /// Returns `true` when at least one of the places is inside `place`.
    pub fn any_inside(&self, place: Span) -> bool {
        let from = self.by_start.partition_point(|(span, ..)| span.start() < place.start());
        self.by_start.get(from).is_some_and(|&(_, least, _)| !place.is_none() && least <= place.end())
    }

    /// Returns `true` when at least one of the places is around `place`.
    pub fn any_around(&self, place: Span) -> bool {
        let next = self.by_start.partition_point(|(span, ..)| span.start() <= place.start());
        let before = next.checked_sub(1).and_then(|last| self.by_start.get(last));
        before.is_some_and(|&(_, _, greatest)| !place.is_none() && greatest >= place.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_inside_or_around_is_found_as_by_looking_at_each() {
        // Nested, next to each other, and one over the end of another one.
        let spans = [(1, 20), (2, 5), (2, 9), (4, 30), (6, 7), (12, 14), (13, 40)];
        let spans: Vec<Span> = spans.into_iter().map(|(start, end)| Span::new(start, end)).collect();
        for count in 0..=spans.len() {
            let some = &spans[..count];
            let places: SpanSet = some.iter().rev().copied().chain([Span::NONE]).collect();
            for start in 1..42 {
                for end in start..42 {
                    let place = Span::new(start, end);
                    let want = some.iter().any(|&span| place.contains(span));
                    assert_eq!(places.any_inside(place), want, "{some:?} in {place:?}");
                    let want = some.iter().any(|&span| span.contains(place));
                    assert_eq!(places.any_around(place), want, "{some:?} around {place:?}");
                }
            }
            assert!(!places.any_inside(Span::NONE) && !places.any_around(Span::NONE));
        }
    }
}
