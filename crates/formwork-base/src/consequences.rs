//! Diagnostics that are consequences of others, found by their places.

use std::collections::HashMap;

use crate::{Diagnostic, Fact, Span};

/// Diagnostics that may be consequences of others, by place.
pub(crate) struct Consequences {
    /// Numbers in the list by exact place, in order.
    here: HashMap<Span, Vec<usize>>,
    /// Place, number in the list and greatest end so far, sorted by start: for the places around another one.
    around: Vec<(Span, usize, u32)>,
}

impl Consequences {
    pub(crate) fn of(list: &[Diagnostic]) -> Consequences {
        let (mut here, mut around) = (HashMap::<Span, Vec<usize>>::new(), Vec::new());
        for (at, other) in list.iter().enumerate().filter(|(_, other)| !other.facts.contains(&Fact::Explains)) {
            if other.name().is_some() {
                around.push((other.span(), at, 0));
            } else {
                here.entry(other.span()).or_default().push(at);
            }
        }
        around.sort_unstable_by_key(|(span, at, _)| (span.start(), *at));
        let mut end = 0;
        for (span, _, greatest) in &mut around {
            end = end.max(span.end());
            *greatest = end;
        }
        Consequences { here, around }
    }

    /// Returns the first consequence of `reason` that is at least as severe.
    pub(crate) fn find(&self, list: &[Diagnostic], reason: &Diagnostic) -> Option<usize> {
        let place = reason.span();
        if place.is_none() {
            return None;
        }
        let here = self.here.get(&place).into_iter().flatten().copied();
        let before = self.around.partition_point(|(span, ..)| span.start() <= place.start());
        let around = self.around[..before].iter().rev().take_while(|(.., greatest)| *greatest >= place.end());
        let around = around.filter(|(span, ..)| span.contains(place)).map(|&(_, at, _)| at);
        here.chain(around).filter(|&at| list[at].severity >= reason.severity).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Severity, codes};

    #[test]
    fn the_first_consequence_at_or_around_a_place_is_found() {
        let at = |code, start, end| Diagnostic::new(code, "").at(Span::new(start, end));
        let name = |start, end| at(codes::UNRESOLVED_NAME, start, end).fact(Fact::Name("Queue".to_owned()));
        let list = [
            at(codes::PLACEHOLDER_LITERAL, 12, 14).fact(Fact::Explains),
            name(11, 13),
            name(2, 20),
            name(10, 15),
            at(codes::NULL_VALUE, 12, 14),
            at(codes::NULL_VALUE, 10, 15),
        ];
        let find = |list: &[Diagnostic], severity, start, end| {
            let reason = at(codes::PLACEHOLDER_LITERAL, start, end).severity(severity);
            Consequences::of(list).find(list, &reason)
        };
        assert_eq!(find(&list, Severity::Error, 12, 14), Some(2), "the first one around it");
        assert_eq!(find(&list[3..], Severity::Error, 12, 14), Some(0));
        assert_eq!(find(&list[4..], Severity::Error, 12, 14), Some(0), "at the same place");
        assert_eq!(find(&list[5..], Severity::Error, 12, 14), None, "only names may be around");
        assert_eq!(find(&list, Severity::Error, 1, 3), None);
        let mild: Vec<Diagnostic> = list.iter().cloned().map(|one| one.severity(Severity::Warning)).collect();
        assert_eq!(find(&mild, Severity::Error, 12, 14), None, "a milder one is none");
    }
}
