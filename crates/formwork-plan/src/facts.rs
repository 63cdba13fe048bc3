//! What is known of resource types, as a plan needs it.

use crate::change::Effect;
use crate::value::Step;

/// Facts about resource types. A type that is not known answers `None`, and [`Effect::Unknown`].
pub trait Facts {
    /// The date of the facts, such as `2026-10-20`.
    fn date(&self) -> &str;

    /// What a change of a value at a path below `Properties` does. `is_open` is whether nobody knows what is in the
    /// value, as in that of a function.
    fn effect(&self, type_name: &str, path: &[Step<'_>], is_open: bool) -> Effect;

    /// What happens to the data of a type that holds some.
    fn stateful(&self, type_name: &str) -> Option<Stateful>;

    /// The one writable property that is the primary identifier, from `Properties` down, when CloudFormation creates
    /// the new resource before it deletes the old one.
    fn custom_name(&self, type_name: &str) -> Option<Vec<String>>;

    /// The properties that set who may do what, from `Properties` down (empty: the resource itself), with the class of
    /// each.
    fn policies(&self, type_name: &str) -> Vec<(Vec<String>, String)>;

    /// Whether stack refactoring can rename resources of the type.
    ///
    /// # Errors
    /// The reason why not.
    fn refactorable(&self, type_name: &str) -> Result<(), &'static str>;
}

/// A type that holds data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stateful {
    /// Whether `Snapshot` is a policy that it knows.
    pub can_snapshot: bool,
    /// Whether CloudFormation deletes it only when it is empty.
    pub only_when_empty: bool,
    /// Whether a snapshot is taken when no policy is written.
    pub snapshot_by_default: bool,
    /// Whether that is not so for a resource with a `DBClusterIdentifier`.
    pub unless_in_cluster: bool,
}

impl Stateful {
    /// The policy that counts when none is written.
    pub(crate) fn default_policy(self, has_cluster: bool) -> &'static str {
        if self.snapshot_by_default && !(self.unless_in_cluster && has_cluster) { "Snapshot" } else { "Delete" }
    }
}
