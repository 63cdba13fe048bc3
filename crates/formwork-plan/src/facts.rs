//! Facts about resource types that a plan needs.

use crate::change::Effect;
use formwork_template::value::Step;

/// Facts about resource types. For an unknown type methods return `None` or [`Effect::Unknown`].
pub trait Facts {
    /// Returns the date of the facts, such as `2026-10-20`.
    fn date(&self) -> &str;

    /// Returns the effect of a changed value at a path below `Properties`. `is_open` is set when the content of the
    /// value is not known, as in that of a function.
    fn effect(&self, type_name: &str, path: &[Step<'_>], is_open: bool) -> Effect;

    /// Returns how deletion treats the data of a type that holds some.
    fn stateful(&self, type_name: &str) -> Option<Stateful>;

    /// Returns the path of the one writable property that is the primary identifier, from `Properties` down, when
    /// CloudFormation creates the new resource before it deletes the old one.
    fn custom_name(&self, type_name: &str) -> Option<Vec<String>>;

    /// Returns the properties that set permissions, from `Properties` down (empty: the resource itself), with the class
    /// of each.
    fn policies(&self, type_name: &str) -> Vec<(Vec<String>, String)>;

    /// Checks that stack refactoring can rename resources of the type.
    ///
    /// # Errors
    /// The reason why it cannot.
    fn refactorable(&self, type_name: &str) -> Result<(), &'static str>;
}

/// A type that holds data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stateful {
    /// Set when the type accepts the policy `Snapshot`.
    pub can_snapshot: bool,
    /// Set when CloudFormation deletes the resource only when it is empty.
    pub only_when_empty: bool,
    /// Set when a snapshot is taken without a policy in the template.
    pub snapshot_by_default: bool,
    /// Set when `snapshot_by_default` does not apply to a resource with a `DBClusterIdentifier`.
    pub unless_in_cluster: bool,
}

impl Stateful {
    pub(crate) fn default_policy(self, has_cluster: bool) -> &'static str {
        if self.snapshot_by_default && !(self.unless_in_cluster && has_cluster) { "Snapshot" } else { "Delete" }
    }
}
