//! A diagnostic at a place of an editor.

use formwork::{FileRange, Finding};

/// A diagnostic and where an editor shows it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What `check` reports.
    pub finding: Finding,
    /// Where it is shown.
    pub range: FileRange,
    /// Other places, each with a few words: the place in a module when it is shown at an import, contexts, labels.
    pub related: Vec<(FileRange, String)>,
    /// Whether the place is of no use, which editors show faded.
    pub is_unnecessary: bool,
}
