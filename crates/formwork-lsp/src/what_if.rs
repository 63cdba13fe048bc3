//! Values with which an author views a template.

use formwork::PseudoParameter;

/// Values for one template, in memory only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct WhatIf {
    /// The set of values: `default`, `parameter-set:NAME`, `samconfig:NAME` or `file:PATH`.
    pub(crate) id: Option<String>,
    /// Single values, which take precedence over the set.
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) pseudo: Vec<(PseudoParameter, String)>,
}

impl WhatIf {
    pub(crate) fn named(&self, prefix: &str) -> Option<&str> {
        self.id.as_deref()?.strip_prefix(prefix)
    }
}
