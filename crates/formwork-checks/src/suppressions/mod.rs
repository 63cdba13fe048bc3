//! Suppressions: comments and Metadata with which authors hide diagnostics (reference/diagnostics.md#suppression).

mod comments;
mod intervals;
mod metadata;
mod report;
mod sites;

use formwork_base::codes::CodePattern;
use formwork_base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};
use formwork_syntax::Tree;

use intervals::Intervals;

/// The suppressions of the files of a run. Their uses are recorded.
#[derive(Debug, Default)]
pub struct Suppressions {
    all: Vec<Suppression>,
    /// Scopes that are nested or disjoint: files and nodes.
    nodes: Intervals,
    lines: Intervals,
    uses: Vec<Use>,
    /// Set if errors that invalidate the output may be suppressed, by their full code and with a reason.
    may_suppress_errors: bool,
}

#[derive(Debug)]
struct Suppression {
    /// `None` for a string that is not a code.
    pattern: Option<CodePattern>,
    text: String,
    span: Span,
    reason: Option<String>,
    /// The range to remove with the code; `None` where that is not safe.
    removal: Option<Span>,
    /// `None` when it acts on nothing.
    scope: Option<Scope>,
    /// The comment to write instead of one with a word of another tool.
    instead: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Scope {
    Line(Span),
    Node(Span),
}

#[derive(Clone, Copy, Default, Debug)]
struct Use {
    is_used: bool,
    /// An error with its code that it cannot suppress.
    refused: Option<Code>,
}

/// A diagnostic that an author suppressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppressed {
    /// The diagnostic that is hidden.
    pub diagnostic: Diagnostic,
    /// Reason of the suppression, in the author's words.
    pub reason: Option<String>,
}

impl Suppression {
    /// Returns `true` if it may suppress an error that invalidates the output: it has one full code and a reason.
    fn is_for_errors(&self) -> bool {
        let has_reason = self.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty());
        has_reason && self.pattern.is_some_and(|pattern| pattern.is_full())
    }
}

impl Suppressions {
    /// Reads the suppressions of all files that `tree` has nodes of. `may_suppress_errors` is set when the run writes
    /// no output that such an error invalidates.
    pub fn read(tree: &Tree, sources: &SourceMap, may_suppress_errors: bool) -> Suppressions {
        let mut all = Vec::new();
        let written = comments::find(tree, sources);
        metadata::add(tree, sources, &mut all);
        comments::add(tree, sources, written, &mut all);
        if all.is_empty() {
            return Suppressions::default();
        }
        let scopes = |pick: fn(Scope) -> Option<Span>| {
            let spans = all.iter().enumerate().filter_map(|(at, one)| Some((pick(one.scope?)?, at)));
            Intervals::new(spans.collect())
        };
        let lines = scopes(|scope| if let Scope::Line(span) = scope { Some(span) } else { None });
        let nodes = scopes(|scope| if let Scope::Node(span) = scope { Some(span) } else { None });
        let uses = vec![Use::default(); all.len()];
        Suppressions { all, nodes, lines, uses, may_suppress_errors }
    }

    /// Returns `true` for an empty set.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the diagnostic as a suppressed one, when it is suppressed. The place of the diagnostic decides, whatever
    /// led there: one in the body of a loop or in a module is suppressed for every copy.
    pub fn suppress(&self, diagnostic: &Diagnostic) -> Option<Suppressed> {
        let is_silenced =
            |one: &Suppression| diagnostic.can_be_silenced() || self.may_suppress_errors && one.is_for_errors();
        let found = self.acting_on(diagnostic).find(|&number| is_silenced(&self.all[number]))?;
        Some(Suppressed { diagnostic: diagnostic.clone(), reason: self.all[found].reason.clone() })
    }

    fn acting_on(&self, diagnostic: &Diagnostic) -> impl Iterator<Item = usize> {
        let (code, span) = (diagnostic.code, diagnostic.span());
        let around = self.nodes.containing(span.start()).chain(self.lines.containing(span.start()));
        around.filter(move |&number| {
            !span.is_none() && self.all[number].pattern.is_some_and(|pattern| pattern.matches(code))
        })
    }

    /// Removes suppressed diagnostics from those of a run.
    pub fn apply(&mut self, diagnostics: &mut Diagnostics) -> Vec<Suppressed> {
        let mut suppressed = Vec::new();
        if self.is_empty() {
            return suppressed;
        }
        diagnostics.retain(|diagnostic| {
            let acting: Vec<usize> = self.acting_on(diagnostic).collect();
            let found = self.suppress(diagnostic);
            for &number in &acting {
                // Where the run has an output, a suppression of the error for checks is not wrong, and has no effect.
                if found.is_some() || self.all[number].is_for_errors() {
                    self.uses[number].is_used = true;
                } else {
                    self.uses[number].refused = Some(diagnostic.code);
                }
            }
            let is_kept = found.is_none();
            suppressed.extend(found);
            is_kept
        });
        suppressed
    }

    /// Reports suppressions of errors that cannot be suppressed.
    pub fn report_errors(&self, diagnostics: &mut Diagnostics) {
        report::errors(self, diagnostics);
    }

    /// Reports suppressions in `file` that have an unknown code or, if all checks ran except those of the codes in
    /// `omitted`, suppress nothing. `None` for `omitted` means that not all checks ran.
    pub fn report_warnings(
        &self,
        file: FileId,
        sources: &SourceMap,
        omitted: Option<&[Code]>,
        diagnostics: &mut Diagnostics,
    ) {
        report::warnings(self, sources.span(file), omitted, diagnostics);
    }
}
