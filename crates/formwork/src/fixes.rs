//! Applies the fixes of diagnostics; each is verified by compiling again (reference/diagnostics.md#fixes).
//!
//! Fixes are applied together if that succeeds, else in halves. Each time the template is compiled again and its
//! diagnostics are compared by code and moved place.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use formwork_base::{Code, Diagnostic, FileBytes, Finding, Goal, Severity, SourceMap};

use crate::analysis::Analysis;
use crate::compilation::Compilation;
use crate::encoder::Encoder;
use crate::nested::PathErrors;
use crate::report::Report;

/// The largest number of passes over a template: fixes may uncover more fixable diagnostics.
const PASSES: usize = 10;

/// A template with the fixes of its diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The bytes that were read of the template; empty if it could not be read.
    pub original: FileBytes,
    /// The text without the fixes.
    pub before: String,
    /// The text with the fixes.
    pub after: String,
    /// `after` in the template's encoding.
    pub bytes: Vec<u8>,
    /// The diagnostics that were fixed.
    pub applied: Vec<Finding>,
    /// The fixes that failed their verification and were not applied.
    pub refused: Vec<RefusedFix>,
}

/// A fix that was not applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedFix {
    /// The diagnostic to be fixed.
    pub finding: Finding,
    /// The reason why it was not applied.
    pub reason: String,
}

impl Analysis<'_> {
    /// Applies the safe fixes for a check of the template, and the unsafe ones if `is_unsafe_allowed`. A fix is kept
    /// when its diagnostic disappears and no other one of the same severity appears in the template, its modules and
    /// its local nested templates. Only the template itself is edited; the session has the fixed template afterwards.
    pub fn fix(&self, is_unsafe_allowed: bool) -> Fixed {
        let original = self.session().read(self.root()).unwrap_or_else(|_| FileBytes::from(Vec::new()));
        let mut work = Work::new(self, is_unsafe_allowed);
        for _ in 0..PASSES {
            if !work.pass() {
                break;
            }
        }
        let Work { before, text, compilation, applied, refused, .. } = work;
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(compilation.encoding, |part: &[u8]| bytes.extend_from_slice(part));
        encoder.push(&text);
        encoder.finish();
        Fixed { original, before, after: text, bytes, applied, refused }
    }
}

/// An edit of the template: start, end, new text.
type Edit = (usize, usize, String);

/// The identity of a diagnostic that remains: code and file, and the message if it has no place.
type Kind = (Code, String);

struct Candidate {
    kind: Kind,
    at: usize,
    edits: Vec<Edit>,
    finding: Finding,
}

struct Work<'w, 'h> {
    analysis: &'w Analysis<'h>,
    is_unsafe_allowed: bool,
    before: String,
    text: String,
    compilation: Arc<Compilation>,
    reported: Reported,
    candidates: Vec<Candidate>,
    applied: Vec<Finding>,
    refused: Vec<RefusedFix>,
}

/// Diagnostics by their kinds, each with offset (in order), message and severity.
type Reported = BTreeMap<Kind, Vec<(usize, String, Severity)>>;

impl<'w, 'h> Work<'w, 'h> {
    fn new(analysis: &'w Analysis<'h>, is_unsafe_allowed: bool) -> Work<'w, 'h> {
        let (compilation, reported) = look(analysis);
        let text = compilation.sources.text(compilation.document.file).to_string();
        Work {
            analysis,
            is_unsafe_allowed,
            before: text.clone(),
            text,
            compilation,
            reported,
            candidates: Vec::new(),
            applied: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Applies the offered fixes that do not overlap. Returns `true` if any was applied.
    fn pass(&mut self) -> bool {
        let done = self.applied.len();
        self.refused.clear();
        self.candidates = self.offered();
        self.settle(0, self.candidates.len());
        self.applied.len() > done
    }

    fn offered(&self) -> Vec<Candidate> {
        let (sources, selection) = (&self.compilation.sources, &self.compilation.reporting.selection);
        let diagnostics = self.compilation.diagnostics.iter().filter(|one| selection.names(one.code));
        let mut all: Vec<Candidate> =
            diagnostics.filter_map(|diagnostic| self.candidate(diagnostic, sources)).collect();
        all.sort_by_key(|one| one.edits.first().map(|edit| (edit.0, edit.1)));
        let mut chosen: Vec<Candidate> = Vec::new();
        // By their starts; they do not overlap.
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        for one in all {
            let meets = |start: usize, end: usize| {
                let last = taken.range(..end).next_back();
                taken.contains_key(&start) || last.is_some_and(|(_, &to)| start < to)
            };
            if !one.edits.iter().any(|edit| meets(edit.0, edit.1)) {
                taken.extend(one.edits.iter().map(|edit| (edit.0, edit.1)));
                chosen.push(one);
            }
        }
        chosen
    }

    fn candidate(&self, diagnostic: &Diagnostic, sources: &SourceMap) -> Option<Candidate> {
        let fix = diagnostic.fix.as_ref().filter(|fix| fix.is_safe || self.is_unsafe_allowed)?;
        let file = self.compilation.document.file;
        let base = sources.base(file);
        let mut edits = Vec::with_capacity(fix.edits.len());
        for (span, text) in &fix.edits {
            if sources.file_of(*span) != Some(file) {
                return None;
            }
            edits.push(((span.start() - base) as usize, (span.end() - base) as usize, text.clone()));
        }
        edits.sort();
        let (kind, at, _) = kind_of(diagnostic, sources);
        Some(Candidate { kind, at, edits, finding: diagnostic.resolve(sources) })
    }

    fn settle(&mut self, first: usize, end: usize) {
        // A diagnostic that another fix removed, or that moved into its text, is left to the next pass.
        let is_there = |one: &Candidate| {
            let all = self.reported.get(&one.kind);
            all.is_some_and(|all| all.binary_search_by_key(&one.at, |(at, ..)| *at).is_ok())
        };
        if first == end || !self.candidates[first..end].iter().all(is_there) {
            return self.split(first, end);
        }
        let batch = &self.candidates[first..end];
        let mut edits: Vec<Edit> = batch.iter().flat_map(|one| one.edits.iter().cloned()).collect();
        edits.sort();
        let moves = Moves::new(&edits);
        let text = apply(&self.text, &edits);
        self.set(&text);
        let (compilation, reported) = look(self.analysis);
        match self.objection(batch, &moves, &reported) {
            None => {
                self.applied.extend(batch.iter().map(|one| one.finding.clone()));
                (self.text, self.compilation, self.reported) = (text, compilation, reported);
                for one in &mut self.candidates[end..] {
                    one.at = moves.moved(one.at).0;
                    for edit in &mut one.edits {
                        let length = edit.1 - edit.0;
                        edit.0 = moves.moved_behind(edit.0);
                        edit.1 = edit.0 + length;
                    }
                }
            }
            Some(reason) => {
                let text = self.text.clone();
                self.set(&text);
                if end - first == 1 {
                    self.refused.push(RefusedFix { finding: batch[0].finding.clone(), reason });
                } else {
                    self.split(first, end);
                }
            }
        }
    }

    fn split(&mut self, first: usize, end: usize) {
        if end - first > 1 {
            let middle = first + (end - first) / 2;
            self.settle(first, middle);
            self.settle(middle, end);
        }
    }

    fn set(&self, text: &str) {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(self.compilation.encoding, |part: &[u8]| bytes.extend_from_slice(part));
        encoder.push(text);
        encoder.finish();
        self.analysis.session().set_file(self.analysis.root(), bytes);
    }

    /// Returns the reason why the diagnostics after a batch of fixes differ from those before without the fixed ones.
    fn objection(&self, batch: &[Candidate], moves: &Moves<'_>, after: &Reported) -> Option<String> {
        let mut fixed: HashMap<&Kind, HashMap<usize, usize>> = HashMap::new();
        for one in batch {
            *fixed.entry(&one.kind).or_default().entry(one.at).or_default() += 1;
        }
        let mut left: BTreeMap<&Kind, VecDeque<(usize, usize)>> = BTreeMap::new();
        let own = self.compilation.sources.display(self.compilation.document.file);
        for (kind, places) in &self.reported {
            let is_own = kind.1 == own;
            let mut fixed = fixed.get_mut(kind);
            let staying = places.iter().filter(|(at, ..)| {
                let known = fixed.as_mut().and_then(|fixed| fixed.get_mut(at)).filter(|count| **count > 0);
                known.map(|count| *count -= 1).is_none()
            });
            let staying = staying.map(|(at, ..)| if is_own { moves.moved(*at) } else { (*at, *at) });
            left.insert(kind, staying.collect());
        }
        // An error may have hidden a warning or note that now appears.
        let least = batch.iter().map(|one| one.finding.severity).min().unwrap_or(Severity::Note);
        for (kind, places) in after {
            let mut staying = left.remove(kind).unwrap_or_default();
            for (at, message, severity) in places {
                // Both are in the order of the file.
                while staying.front().is_some_and(|(_, to)| to < at) {
                    staying.pop_front();
                }
                let is_new = staying.pop_front_if(|(from, _)| *from <= *at).is_none();
                if is_new && *severity >= least {
                    return Some(if fixed.contains_key(kind) {
                        format!("{} would still be reported", kind.0)
                    } else {
                        format!("it would add {}: {message}", kind.0)
                    });
                }
            }
        }
        None
    }
}

fn look(analysis: &Analysis<'_>) -> (Arc<Compilation>, Reported) {
    let session = analysis.session();
    let compilation = session.analyze(analysis.root()).compile(Goal::Check);
    let nested = session.compile_nested(&compilation, Goal::Check, PathErrors::Reported);
    let mut root = Report::from(Arc::clone(&compilation));
    root.add(nested.found);
    let mut reported = Reported::new();
    for report in std::iter::once(&root).chain(&nested.reports) {
        for diagnostic in report.diagnostics() {
            let (kind, at, words) = kind_of(diagnostic, report.compilation().sources());
            reported.entry(kind).or_default().push((at, words, diagnostic.severity));
        }
    }
    for places in reported.values_mut() {
        places.sort();
    }
    (compilation, reported)
}

fn kind_of(diagnostic: &Diagnostic, sources: &SourceMap) -> (Kind, usize, String) {
    let span = diagnostic.span();
    let words = diagnostic.message.clone();
    match sources.file_of(span) {
        Some(file) => {
            let at = (span.start() - sources.base(file)) as usize;
            ((diagnostic.code, sources.display(file).to_owned()), at, words)
        }
        None => ((diagnostic.code, words.clone()), 0, words),
    }
}

/// Applies edits, which are in order and do not overlap.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end, new) in edits {
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.push_str(new);
        at = *end;
    }
    out + text.get(at..).unwrap_or_default()
}

/// Maps positions in a text to the text after its edits, which are in order and do not overlap.
struct Moves<'e> {
    edits: &'e [Edit],
    /// Bytes added and removed by all edits in front of each edit, and by all of them.
    before: Vec<(usize, usize)>,
}

impl<'e> Moves<'e> {
    fn new(edits: &'e [Edit]) -> Moves<'e> {
        let mut before = Vec::with_capacity(edits.len() + 1);
        let (mut added, mut removed) = (0, 0);
        before.push((added, removed));
        for (start, end, new) in edits {
            (added, removed) = (added + new.len(), removed + end - start);
            before.push((added, removed));
        }
        Moves { edits, before }
    }

    /// The new range of a position: the whole new text of an edit that it touches.
    fn moved(&self, at: usize) -> (usize, usize) {
        let first = self.edits.partition_point(|(_, end, _)| *end < at);
        let (added, removed) = self.before[first];
        match self.edits.get(first) {
            Some((start, _, new)) if *start <= at => {
                let start = start + added - removed;
                (start, start + new.len())
            }
            _ => (at + added - removed, at + added - removed),
        }
    }

    /// The new position of one that is in no edit.
    fn moved_behind(&self, at: usize) -> usize {
        let (added, removed) = self.before[self.edits.partition_point(|(_, end, _)| *end <= at)];
        at + added - removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_move_with_what_is_in_front_of_them() {
        let edits = [(2, 4, "abcd".to_owned()), (6, 6, "x".to_owned())];
        assert_eq!(apply("0123456789", &edits), "01abcd45x6789");
        let moves = Moves::new(&edits);
        assert_eq!([0, 2, 3, 5, 9].map(|at| moves.moved(at)), [(0, 0), (2, 6), (2, 6), (7, 7), (12, 12)]);
        assert_eq!(moves.moved(6), (8, 9));
        assert_eq!((moves.moved_behind(4), moves.moved_behind(6)), (6, 9));
    }
}
