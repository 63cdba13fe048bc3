//! Values that change at the deployment for reasons outside of a template.

use crate::change::Action;

/// A value that is another one at the deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The name that refers to it: `Name` of a parameter, `Net.Outputs.Url` of an output.
    pub name: String,
    /// [`Action::Replace`] when it changes for certain, [`Action::MayReplace`] otherwise.
    pub action: Action,
    /// Reason, as in [`crate::PropertyChange::because`]: `argument Name`, `output Net.Url`.
    pub because: String,
}

/// Returns `Net.Outputs.Url`, when this is an output of a nested stack.
pub(crate) fn output(id: &str, attribute: Option<&str>) -> Option<String> {
    attribute.filter(|attribute| attribute.starts_with("Outputs.")).map(|attribute| format!("{id}.{attribute}"))
}
