//! What the renderers of whole documents take: SARIF, `JUnit`, annotations of `GitHub`.

use formwork_base::Finding;

/// A template and everything that is reported of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFindings {
    /// Its path as reports show it.
    pub file: String,
    /// By file and position. Those of modules and nested templates are among them.
    pub findings: Vec<Finding>,
    /// Whether it could be read.
    pub is_read: bool,
}

/// All findings of a report with their order.
pub(crate) fn all(files: &[FileFindings]) -> impl Iterator<Item = &Finding> {
    files.iter().flat_map(|file| &file.findings)
}
