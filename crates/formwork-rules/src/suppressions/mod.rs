//! What authors choose not to see: comments and Metadata that suppress diagnostics
//! (reference/diagnostics.md#suppression).

mod comments;
mod intervals;
mod metadata;
mod report;
mod sites;

use formwork_base::codes::CodePattern;
use formwork_base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};
use formwork_syntax::Tree;

use intervals::Intervals;

/// The suppressions of the files of a run. What they suppress is noted as it is found.
#[derive(Debug, Default)]
pub struct Suppressions {
    all: Vec<Suppression>,
    /// Scopes that lie in one another or apart: files and nodes.
    nodes: Intervals,
    /// Lines.
    lines: Intervals,
    uses: Vec<Use>,
    /// Whether errors that make the output wrong may be suppressed, by their full code and with a reason.
    may_suppress_errors: bool,
}

/// One code that is suppressed in one scope.
#[derive(Debug)]
struct Suppression {
    /// `None` for a text that names no code.
    pattern: Option<CodePattern>,
    /// The code as it is written.
    text: String,
    /// Where the code is written.
    span: Span,
    /// Why, in the author's words.
    reason: Option<String>,
    /// What is removed to remove the code; `None` where that is not safe.
    removal: Option<Span>,
    /// What it acts on; `None` when it acts on nothing.
    scope: Option<Scope>,
    /// The comment to write, where the text is a word of another tool.
    instead: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Scope {
    Line(Span),
    Node(Span),
}

/// What became of a suppression.
#[derive(Clone, Copy, Default, Debug)]
struct Use {
    is_used: bool,
    /// An error that it names and that it cannot suppress.
    refused: Option<Code>,
}

/// A diagnostic that an author chose not to see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppressed {
    /// What was found.
    pub diagnostic: Diagnostic,
    /// Why it is suppressed, in the author's words.
    pub reason: Option<String>,
}

impl Suppression {
    /// Whether it is meant for an error that makes the output wrong: it names one code and the reason.
    fn is_for_errors(&self) -> bool {
        let has_reason = self.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty());
        has_reason && self.pattern.is_some_and(|pattern| pattern.is_full())
    }
}

impl Suppressions {
    /// Reads the suppressions of all files that `tree` has nodes of. `may_suppress_errors` is whether nothing is written
    /// that such an error makes wrong.
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

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the diagnostic as a suppressed one, when it is suppressed. The place of the diagnostic decides,
    /// whatever led there: one in the body of a loop or in a module is suppressed for every copy.
    pub fn suppress(&self, diagnostic: &Diagnostic) -> Option<Suppressed> {
        let is_silenced =
            |one: &Suppression| diagnostic.can_be_silenced() || self.may_suppress_errors && one.is_for_errors();
        let found = self.acting_on(diagnostic).find(|&number| is_silenced(&self.all[number]))?;
        Some(Suppressed { diagnostic: diagnostic.clone(), reason: self.all[found].reason.clone() })
    }

    /// The suppressions that name the code of a diagnostic and act at its place.
    fn acting_on(&self, diagnostic: &Diagnostic) -> impl Iterator<Item = usize> {
        let (code, span) = (diagnostic.code, diagnostic.span());
        let around = self.nodes.containing(span.start()).chain(self.lines.containing(span.start()));
        around.filter(move |&number| {
            !span.is_none() && self.all[number].pattern.is_some_and(|pattern| pattern.matches(code))
        })
    }

    /// Takes what is suppressed out of the diagnostics of a run.
    pub fn apply(&mut self, diagnostics: &mut Diagnostics) -> Vec<Suppressed> {
        let mut suppressed = Vec::new();
        if self.is_empty() {
            return suppressed;
        }
        diagnostics.retain(|diagnostic| {
            let acting: Vec<usize> = self.acting_on(diagnostic).collect();
            let found = self.suppress(diagnostic);
            for &number in &acting {
                // Where there is an output, what suppresses the error in a check is not wrong, and has no effect.
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

    /// Reports suppressions in `file` that name an unknown code or, where every check was made but those of codes that
    /// are `omitted`, suppress nothing. Without `omitted` not every check was made.
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
