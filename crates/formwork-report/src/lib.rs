//! Renderers for diagnostics, one a file: code frames for people, one line each, JSON for machines
//! (spec insight.md, section 5.3).
//!
//! Renderers are pure: they return text. Nothing secret is shown: spans of `NoEcho` values are
//! masked in source lines.

mod code_frame;
pub mod explain;
pub mod human;
pub mod json;
mod mask;
pub mod short;

use formwork_base::{Diagnostic, Severity, SourceMap, Span};

/// What renderers need besides the diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The files.
    pub sources: &'c SourceMap,
    /// Spans whose text is never shown.
    pub secrets: &'c [Span],
    /// Whether to use colours.
    pub color: bool,
}

/// How many of each kind there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
    /// Files that were looked at.
    pub files: usize,
}

impl Summary {
    /// Adds the diagnostics of a file.
    pub fn add<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        self.files += 1;
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => self.notes += 1,
            }
        }
    }

    /// Errors and warnings in words, such as `2 errors, 1 warning`; empty when there are none.
    pub fn words(&self) -> String {
        let count = |number: usize, word: &str| match number {
            0 => None,
            1 => Some(format!("1 {word}")),
            number => Some(format!("{number} {word}s")),
        };
        let parts: Vec<String> =
            [count(self.errors, "error"), count(self.warnings, "warning")].into_iter().flatten().collect();
        parts.join(", ")
    }
}

/// Iterations on the way to a place, as `Name=Logs, Zone=a`; empty when there are none.
fn frame_words(diagnostic: &Diagnostic) -> String {
    let words: Vec<String> = diagnostic
        .frames
        .iter()
        .filter_map(|frame| {
            let value = frame.value.as_deref()?;
            Some(format!("{}={value}", frame.name))
        })
        .collect();
    words.join(", ")
}
