//! The data of a resource that is deleted or replaced.

use crate::change::{Action, Data};
use crate::facts::Facts;
use formwork_template::side::Member;
use formwork_template::value::Value;

/// Returns the effective `UpdateReplacePolicy`: without one CloudFormation deletes the replaced resource, whatever the
/// type (reference/plan.md#data). An unknown one may be the worst.
pub(crate) fn replacement_policy<'t>(member: &Member<'t>) -> &'t str {
    member.value.get("UpdateReplacePolicy").and_then(Value::text).unwrap_or("Delete")
}

/// Returns the effective `DeletionPolicy`: the one in the template, else the default of the type. An unknown one may be
/// the worst.
fn deletion_policy<'t>(member: &Member<'t>, facts: Option<&dyn Facts>) -> &'t str {
    let written = member.value.get("DeletionPolicy");
    let has_cluster = || member.value.get("Properties").is_some_and(|all| all.get("DBClusterIdentifier").is_some());
    match (written, facts.and_then(|facts| facts.stateful(member.kind()))) {
        (Some(written), _) => written.text().unwrap_or("Delete"),
        (None, Some(stateful)) => stateful.default_policy(has_cluster()),
        (None, None) => "Delete",
    }
}

pub(crate) fn of(member: &Member<'_>, policy: &str, facts: Option<&dyn Facts>) -> Data {
    let Some(stateful) = facts.and_then(|facts| facts.stateful(member.kind())) else { return Data::None };
    match policy {
        "Retain" | "RetainExceptOnCreate" => Data::Kept,
        "Snapshot" if stateful.can_snapshot => Data::Snapshot,
        _ if stateful.only_when_empty => Data::Blocked,
        _ => Data::Lost,
    }
}

pub(crate) fn of_removed<'t>(member: &Member<'t>, facts: Option<&dyn Facts>) -> (Action, &'t str, Data) {
    let policy = deletion_policy(member, facts);
    let action = if matches!(policy, "Retain" | "RetainExceptOnCreate") { Action::Orphan } else { Action::Delete };
    (action, policy, of(member, policy, facts))
}
