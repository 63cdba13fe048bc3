//! Severities of diagnostics.

/// The severity of a diagnostic, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Information.
    Note,
    /// Probably not the author's intent.
    Warning,
    /// The output would be wrong.
    Error,
}

impl Severity {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}
