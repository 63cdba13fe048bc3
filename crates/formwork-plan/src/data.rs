//! What happens to the data of a resource that goes.

use crate::change::{Action, Data};
use crate::facts::Facts;
use crate::side::Member;
use crate::value::Value;

/// The policy that counts for a resource: the one that is written, else that of its type.
pub(crate) fn policy<'t>(member: &Member<'t>, attribute: &str, facts: Option<&dyn Facts>) -> &'t str {
    let written = member.value.get(attribute).and_then(Value::text);
    written.unwrap_or_else(|| default_policy(member, facts))
}

/// The policy of a type where none is written. The defaults are those of a deletion; a replacement takes a snapshot by
/// the same rule.
pub(crate) fn default_policy(member: &Member<'_>, facts: Option<&dyn Facts>) -> &'static str {
    let has_cluster = || member.value.get("Properties").is_some_and(|all| all.get("DBClusterIdentifier").is_some());
    match facts.and_then(|facts| facts.stateful(member.kind())) {
        Some(stateful) => stateful.default_policy(has_cluster()),
        None => "Delete",
    }
}

/// What a policy does to the data of a resource that is deleted or replaced.
pub(crate) fn of(member: &Member<'_>, policy: &str, facts: Option<&dyn Facts>) -> Data {
    let Some(stateful) = facts.and_then(|facts| facts.stateful(member.kind())) else { return Data::None };
    match policy {
        "Retain" | "RetainExceptOnCreate" => Data::Kept,
        "Snapshot" if stateful.can_snapshot => Data::Snapshot,
        _ if stateful.only_when_empty => Data::Blocked,
        _ => Data::Lost,
    }
}

/// What becomes of a resource that is gone from the template.
pub(crate) fn of_removed<'t>(member: &Member<'t>, facts: Option<&dyn Facts>) -> (Action, &'t str, Data) {
    let policy = policy(member, "DeletionPolicy", facts);
    let action = if matches!(policy, "Retain" | "RetainExceptOnCreate") { Action::Orphan } else { Action::Delete };
    (action, policy, of(member, policy, facts))
}
