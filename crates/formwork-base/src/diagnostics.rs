//! The collection of the diagnostics of a run.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::consequences::Consequences;
use crate::suggest::Suggester;
use crate::{Cancellation, Code, Diagnostic, Fact, Label, Severity, SourceMap, Span, SpanSet};

/// The diagnostics of a run without duplicates. A code that many iterations of a loop report at the same place is one
/// diagnostic with a count and the worst severity.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    seen: Seen,
    /// Hash of the frames with which each diagnostic was found first. Shorter than the list, or [`FORGOTTEN`], where
    /// that does not matter any more.
    contexts: Vec<u64>,
    /// Further contexts that were counted: number in the list, hash of the frames.
    counted: HashSet<(u32, u64)>,
    cancellation: Cancellation,
    suggester: Suggester,
}

/// The places of diagnostics, in order.
#[derive(Debug)]
pub struct Places {
    sorted: Vec<(Span, u32)>,
}

impl Places {
    /// Returns the diagnostics that begin inside of a span.
    pub fn beginning_in(&self, span: Span) -> impl Iterator<Item = (Span, u32)> {
        let from = self.sorted.partition_point(|(place, _)| place.start() < span.start());
        self.sorted
            .iter()
            .skip(from)
            .copied()
            .take_while(move |(place, _)| place.start() < span.end().max(span.start() + 1))
    }

    /// Returns the last diagnostic that begins in front of a span.
    pub fn before(&self, span: Span) -> Option<(Span, u32)> {
        let from = self.sorted.partition_point(|(place, _)| place.start() < span.start());
        self.sorted.get(from.checked_sub(1)?).copied()
    }
}

/// The hash of an empty context.
const FORGOTTEN: u64 = 0;

/// Numbers in the list by identity.
#[derive(Clone, Debug, Default)]
struct Seen {
    at_places: HashMap<(Code, Span), u32>,
    /// Diagnostics with a subject: several may be at one place.
    of_subjects: HashMap<(Code, Span), HashMap<String, u32>>,
    /// Diagnostics without a place, distinguished by their message.
    without_place: HashMap<(Code, String), u32>,
}

impl Seen {
    /// Returns the number of a diagnostic, which is `next` when it is new.
    fn number(&mut self, diagnostic: &Diagnostic, next: u32) -> u32 {
        let span = diagnostic.span();
        if span.is_none() {
            *self.without_place.entry((diagnostic.code, diagnostic.message.clone())).or_insert(next)
        } else if let Some(subject) = &diagnostic.subject {
            let here = self.of_subjects.entry((diagnostic.code, span)).or_default();
            match here.get(subject) {
                Some(&known) => known,
                None => *here.entry(subject.clone()).or_insert(next),
            }
        } else {
            *self.at_places.entry((diagnostic.code, span)).or_insert(next)
        }
    }

    fn remove(&mut self, diagnostic: Diagnostic) {
        let span = diagnostic.span();
        if span.is_none() {
            self.without_place.remove(&(diagnostic.code, diagnostic.message));
        } else if let Some(subject) = diagnostic.subject {
            if let Some(here) = self.of_subjects.get_mut(&(diagnostic.code, span)) {
                here.remove(&subject);
                if here.is_empty() {
                    self.of_subjects.remove(&(diagnostic.code, span));
                }
            }
        } else {
            self.at_places.remove(&(diagnostic.code, span));
        }
    }
}

/// Returns a hash of the frames of a diagnostic that is never [`FORGOTTEN`].
fn context_of(diagnostic: &Diagnostic) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(&diagnostic.frames) | 1
}

impl Diagnostics {
    /// Returns an empty collection.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Sets the cancellation of the run.
    #[must_use]
    pub fn cancelled_by(mut self, cancellation: Cancellation) -> Diagnostics {
        self.cancellation = cancellation;
        self
    }

    /// Returns an empty collection for a part of the same run.
    #[must_use]
    pub fn of_same_run(&self) -> Diagnostics {
        Diagnostics::new().cancelled_by(self.cancellation.clone())
    }

    /// Returns a copy, for a part of the run of which not everything that it finds is reported.
    #[must_use]
    pub fn copied(&self) -> Diagnostics {
        let (list, seen) = (self.list.clone(), self.seen.clone());
        let (contexts, counted) = (self.contexts.clone(), self.counted.clone());
        Diagnostics { list, seen, contexts, counted, ..self.of_same_run() }
    }

    /// Returns the cancellation of the run.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Returns `true` when the run was cancelled. Stages check this in their loops, and leave their work unfinished.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// Returns the search for near names that the help of diagnostics uses.
    pub fn suggester(&self) -> &Suggester {
        &self.suggester
    }

    /// Adds a diagnostic, or counts it when it exists already. The same error that several stages find in the same
    /// iteration counts once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let context = context_of(&diagnostic);
        let new = self.list.len() as u32;
        let number = self.seen.number(&diagnostic, new);
        let at = number as usize;
        if number == new {
            self.contexts.resize(at, FORGOTTEN);
            self.contexts.push(context);
            self.list.push(diagnostic);
            return;
        }
        let first = &mut self.list[at];
        if self.contexts.get(at) != Some(&context) && self.counted.insert((number, context)) {
            first.count += diagnostic.count;
        }
        if diagnostic.severity > first.severity {
            let count = first.count;
            *first = diagnostic;
            first.count = count;
        }
    }

    /// Returns `true` when a diagnostic at least as severe was reported with this code at this place: another one is
    /// only counted, so that its message does not matter.
    pub fn has(&self, code: Code, span: Span, severity: Severity) -> bool {
        let known = self.seen.at_places.get(&(code, span));
        known.is_some_and(|&number| self.list[number as usize].severity >= severity)
    }

    /// Adds a label to the diagnostic with this code at this place. Returns `false` when nothing was reported there.
    pub fn relate(&mut self, code: Code, span: Span, site: Span, label: &str) -> bool {
        let Some(&number) = self.seen.at_places.get(&(code, span)) else { return false };
        let one = &mut self.list[number as usize];
        if !site.is_none() && one.related.iter().all(|known| known.span != site) {
            one.related.push(Label { span: site, text: label.to_owned() });
        }
        true
    }

    /// Returns `true` when something was reported with this code at exactly this place. A look-up in constant time: a
    /// check that walks over all diagnostics for each finding takes the square of their number.
    pub fn is_reported(&self, code: Code, span: Span) -> bool {
        self.seen.at_places.contains_key(&(code, span)) || self.seen.of_subjects.contains_key(&(code, span))
    }

    /// Returns the places that were reported with this code so far, for a check that looks for places around them.
    pub fn places_of(&self, code: Code) -> SpanSet {
        self.list.iter().filter(|found| found.code == code).map(Diagnostic::span).collect()
    }

    /// Returns the places of all diagnostics so far, to look up those around or inside others.
    pub fn places(&self) -> Places {
        let mut sorted: Vec<(Span, u32)> = self.list.iter().map(Diagnostic::span).zip(0..).collect();
        sorted.retain(|(span, _)| !span.is_none());
        sorted.sort_unstable_by_key(|(span, number)| (span.start(), span.end(), *number));
        Places { sorted }
    }

    /// Returns the diagnostic with this number, in the order in which they were added.
    pub fn get(&self, number: u32) -> Option<&Diagnostic> {
        self.list.get(number as usize)
    }

    /// Makes a diagnostic as severe as another one about the same mistake, with the sentences of that.
    pub fn confirm(&mut self, number: u32, other: &Diagnostic) {
        let Some(known) = self.list.get_mut(number as usize) else { return };
        let severity = known.severity.max(other.severity);
        *known = other.quotes().fold(known.clone(), Diagnostic::quoting).severity(severity);
    }

    /// Returns the number of diagnostics.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Removes the diagnostics behind the first `len`.
    pub fn truncate(&mut self, len: usize) {
        for diagnostic in self.list.drain(len.min(self.list.len())..) {
            self.seen.remove(diagnostic);
        }
        self.contexts.truncate(len);
        self.counted.retain(|&(number, _)| (number as usize) < len);
    }

    /// Returns `true` when at least one diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the number of errors.
    pub fn error_count(&self) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count()
    }

    /// Returns all diagnostics in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Returns `true` when the collection is empty.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Turns every warning into an error (`--strict`).
    pub fn raise_warnings(&mut self) {
        for diagnostic in &mut self.list {
            if diagnostic.severity == Severity::Warning {
                diagnostic.severity = Severity::Error;
            }
        }
    }

    /// Raises diagnostics with this code to at least `severity`.
    pub fn raise(&mut self, code: Code, severity: Severity) {
        for diagnostic in self.list.iter_mut().filter(|diagnostic| diagnostic.code == code) {
            diagnostic.severity = diagnostic.severity.max(severity);
        }
    }

    /// Merges two diagnostics about the same place: one that explains the other has the reason and the help
    /// ([`Fact::Explains`]), the other one the consequence. The help is added to the other one, unless its severity is
    /// lower. A name that is not found may be the value of a function that contains the reason.
    pub fn explain(&mut self) {
        let reasons: Vec<Diagnostic> =
            self.list.iter().filter(|one| one.facts.contains(&Fact::Explains)).cloned().collect();
        if reasons.is_empty() {
            return self.forget_contexts();
        }
        let before = self.list.len();
        let consequences = Consequences::of(&self.list);
        let mut explaining: HashSet<(Code, Span)> = HashSet::new();
        for reason in reasons {
            let Some(at) = consequences.find(&self.list, &reason) else { continue };
            let other = &mut self.list[at];
            for note in reason.notes.into_iter().filter(|note| !other.notes.contains(note)).collect::<Vec<_>>() {
                other.notes.push(note);
            }
            (other.help, other.fix) = (reason.help, reason.fix);
            other.value_advice.help = reason.value_advice.help;
            explaining.extend(reason.primary.map(|label| (reason.code, label.span)));
        }
        self.list.retain(|known| !explaining.contains(&(known.code, known.span())));
        self.count_again(before);
    }

    /// Removes consequences of an error at the same place, or at one that it refers to, by the table of codes
    /// ([`CodeInfo::follows`](crate::codes::CodeInfo)).
    pub fn leave_out_consequences(&mut self) {
        let errors = self.list.iter().filter(|one| one.severity == Severity::Error);
        let places = |one: &Diagnostic| -> Vec<(Code, Span)> {
            let related = one.related.iter().map(|label| label.span);
            std::iter::once(one.span()).chain(related).map(|span| (one.code, span)).collect()
        };
        let errors: HashSet<(Code, Span)> = errors.flat_map(places).collect();
        let follows =
            |one: &Diagnostic| one.code.info().follows.iter().any(|&cause| errors.contains(&(cause, one.span())));
        let before = self.list.len();
        self.list.retain(|one| one.span().is_none() || !follows(one));
        self.count_again(before);
    }

    /// Keeps the diagnostics for which `is_kept` returns `true`.
    pub fn retain(&mut self, is_kept: impl FnMut(&Diagnostic) -> bool) {
        let before = self.list.len();
        self.list.retain(is_kept);
        self.count_again(before);
    }

    /// Forgets the contexts, and indexes the list again when it had `before` diagnostics and is shorter now.
    fn count_again(&mut self, before: usize) {
        self.forget_contexts();
        if self.list.len() == before {
            return;
        }
        self.seen = Seen::default();
        for (number, diagnostic) in (0..).zip(&self.list) {
            self.seen.number(diagnostic, number);
        }
    }

    fn forget_contexts(&mut self) {
        self.contexts.clear();
        self.counted.clear();
    }

    /// Moves the place of each diagnostic to the part that is wrong: the first of the source that is written like it.
    pub fn narrow(&mut self, sources: &SourceMap) {
        for diagnostic in &mut self.list {
            let span = diagnostic.span();
            let part = diagnostic.part().and_then(|part| {
                let at = u32::try_from(sources.slice(span).find(part)?).ok()?;
                Some((span.start() + at, u32::try_from(part.len()).ok()?))
            });
            if let (Some((start, length)), Some(primary)) = (part, diagnostic.primary.as_mut()) {
                primary.span = Span::new(start, start + length);
            }
        }
        self.count_again(usize::MAX);
    }

    /// Writes the new text of fixes in the quotes of the text that they replace, so that JSON stays JSON.
    pub fn quote_fixes(&mut self, sources: &SourceMap) {
        for fix in self.list.iter_mut().filter_map(|diagnostic| diagnostic.fix.as_mut()) {
            for (span, new) in &mut fix.edits {
                let old = sources.slice(*span);
                let quote = old.chars().next().filter(|&quote| matches!(quote, '"' | '\'') && old.ends_with(quote));
                let is_word = new.chars().all(|c| c.is_ascii_alphanumeric() || "_:.-<>".contains(c));
                if let Some(quote) = quote.filter(|_| is_word && span.len() > 1) {
                    *new = format!("{quote}{new}{quote}");
                }
            }
        }
    }

    /// Adds all diagnostics of `other`.
    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Returns all diagnostics by file and position, those without a place first.
    pub fn into_sorted(mut self, sources: &SourceMap) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| {
            let span = diagnostic.span();
            (sources.file_of(span), span.start(), diagnostic.code)
        });
        self.list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, more: T) {
        for diagnostic in more {
            self.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, codes};

    #[test]
    fn the_same_error_at_the_same_place_is_counted() {
        let mut all = Diagnostics::new();
        let frame = |item: &str| Frame {
            kind: crate::FrameKind::Loop,
            name: "N".into(),
            value: Some(item.into()),
            index: None,
            length: None,
            loop_name: None,
            span: Span::NONE,
            item: Span::NONE,
        };
        // Two stages look at every iteration.
        for item in ["a", "b", "c", "a", "b", "c"] {
            let frames = vec![frame(item)];
            all.push(Diagnostic::new(codes::NOT_WELL_FORMED, item).at(Span::new(1, 2)).frames(frames));
        }
        all.push(Diagnostic::new(codes::NOT_WELL_FORMED, "elsewhere").at(Span::new(3, 4)));
        assert_eq!(all.iter().map(|d| (d.message.as_str(), d.count)).collect::<Vec<_>>(), [("a", 3), ("elsewhere", 1)]);
    }

    #[test]
    fn what_was_reported_at_a_place_is_looked_up() {
        let (code, other, place) = (codes::DUPLICATE_KEY, codes::NULL_VALUE, Span::new(3, 5));
        let mut all = Diagnostics::new();
        all.push(Diagnostic::new(code, "one").at(place));
        all.push(Diagnostic::new(other, "two").at(place).subject("a"));
        all.push(Diagnostic::new(other, "two").at(place).subject("b"));
        all.push(Diagnostic::new(codes::NOT_WELL_FORMED, "nowhere"));
        let at = |all: &Diagnostics| (all.is_reported(code, place), all.is_reported(other, place));
        assert_eq!((at(&all), all.len()), ((true, true), 4));
        assert!(!all.is_reported(code, Span::new(3, 6)) && !all.is_reported(codes::NOT_WELL_FORMED, Span::NONE));
        all.truncate(2);
        assert_eq!(at(&all), (true, true));
        all.truncate(1);
        assert_eq!(at(&all), (true, false));
        all.retain(|_| false);
        assert_eq!(at(&all), (false, false));
    }

    #[test]
    fn what_follows_an_error_at_its_place_is_left_out() {
        let at = |code, start| Diagnostic::new(code, "").at(Span::new(start, start + 1));
        let mut all = Diagnostics::new();
        for one in [
            at(codes::UNKNOWN_CONDITION, 1),
            at(codes::FUNCTION_LAYOUT, 1),
            at(codes::UNKNOWN_CONDITION, 3),
            at(codes::FUNCTION_LAYOUT, 5).severity(Severity::Warning),
            at(codes::UNKNOWN_CONDITION, 5),
            Diagnostic::new(codes::UNKNOWN_CONDITION, "nowhere"),
            Diagnostic::new(codes::FUNCTION_LAYOUT, "nowhere"),
        ] {
            all.push(one);
        }
        all.leave_out_consequences();
        let left: Vec<Code> = all.iter().map(|one| one.code).collect();
        let (condition, layout) = (codes::UNKNOWN_CONDITION, codes::FUNCTION_LAYOUT);
        assert_eq!(left, [layout, condition, layout, condition, condition, layout]);
    }

    #[test]
    fn what_was_taken_back_is_new_again() {
        let at = |start, words: &str| Diagnostic::new(codes::NOT_WELL_FORMED, words).at(Span::new(start, start + 1));
        let without_place = || Diagnostic::new(codes::NOT_WELL_FORMED, "nowhere");
        let mut all = Diagnostics::new();
        all.push(at(1, "kept"));
        for _ in 0..2 {
            all.push(at(3, "taken back"));
            all.push(without_place());
            all.push(at(1, "kept"));
            assert_eq!(all.len(), 3);
            all.truncate(1);
        }
        all.push(without_place());
        assert_eq!(
            all.iter().map(|d| (d.message.as_str(), d.count)).collect::<Vec<_>>(),
            [("kept", 1), ("nowhere", 1)]
        );
    }
}
