//! Diagnostics with places for an editor.

use formwork::{FileRange, Finding};

/// A diagnostic and its place in an editor.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The diagnostic of `check`.
    pub finding: Finding,
    /// The place at which it is shown.
    pub range: FileRange,
    /// Other places, each with a short description: the place in a module when it is shown at an import, contexts,
    /// labels.
    pub related: Vec<(FileRange, String)>,
    /// `true` for unnecessary code, which editors show faded.
    pub is_unnecessary: bool,
}
