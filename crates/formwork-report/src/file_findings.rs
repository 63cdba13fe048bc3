//! The input of renderers of whole documents: SARIF, `JUnit`, annotations of `GitHub`.

use formwork_base::Finding;

/// A template and all its findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFindings {
    /// The path as reports show it.
    pub file: String,
    /// The findings by file and position, including those of modules and nested templates.
    pub findings: Vec<Finding>,
    /// The suppressed findings.
    pub suppressed: Vec<SuppressedFinding>,
    /// `true` if the file could be read.
    pub is_read: bool,
}

/// A finding that an author suppressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuppressedFinding {
    /// The finding.
    pub finding: Finding,
    /// The reason in the author's words.
    pub reason: Option<String>,
}

pub(crate) fn all(files: &[FileFindings]) -> impl Iterator<Item = &Finding> {
    files.iter().flat_map(|file| &file.findings)
}
