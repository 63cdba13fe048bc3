//! What is known of resource types, as a plan needs it.

use crate::change::Effect;
use crate::value::Step;

/// Facts about resource types. A type that is not known answers `None`, and [`Effect::Unknown`].
pub trait Facts {
    /// The date of the facts, such as `2026-10-20`.
    fn date(&self) -> &str;

    /// What a change of a path below `Properties` does.
    fn effect(&self, type_name: &str, path: &[Step<'_>]) -> Effect;

    /// What happens to the data of a type that holds some.
    fn stateful(&self, type_name: &str) -> Option<Stateful>;

    /// The one writable property that is the primary identifier, from `Properties` down, when CloudFormation creates
    /// the new resource before it deletes the old one.
    fn custom_name(&self, type_name: &str) -> Option<Vec<String>>;

    /// The properties that say who may do what, from `Properties` down (empty: the resource itself), with the class of
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
    /// The policy that counts when none is written, other than `Delete`.
    pub default_policy: Option<&'static str>,
}

/// The policy that counts when none is written (schemas.md, section 8).
pub(crate) fn default_policy(type_name: &str, stateful: Stateful, has_cluster: bool) -> &'static str {
    match stateful.default_policy {
        // An instance of a cluster has no snapshot of its own.
        Some(_) if type_name == "AWS::RDS::DBInstance" && has_cluster => "Delete",
        Some(policy) => policy,
        None => "Delete",
    }
}
