//! What the renderers of whole documents take: SARIF, `JUnit`, annotations of `GitHub`.

use formwork_base::Finding;

/// A template and everything that is reported of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFindings {
    /// Its path as reports show it.
    pub file: String,
    /// By file and position. Those of modules and nested templates are among them.
    pub findings: Vec<Finding>,
    /// What authors chose not to see.
    pub suppressed: Vec<SuppressedFinding>,
    /// Whether it could be read.
    pub is_read: bool,
}

/// A finding that an author chose not to see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuppressedFinding {
    /// What was found.
    pub finding: Finding,
    /// Why it is suppressed, in the author's words.
    pub reason: Option<String>,
}

/// All findings of a report with their order.
pub(crate) fn all(files: &[FileFindings]) -> impl Iterator<Item = &Finding> {
    files.iter().flat_map(|file| &file.findings)
}
