//! Resources of a stack, and their fate when the stack is deleted.

use formwork_aws::Element;

use crate::change_set::is_stateful;
use crate::event;

/// A resource of a stack, and its fate when the stack is deleted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackResource {
    /// Logical IDs of the enclosing nested stacks, outermost first.
    pub within: Vec<String>,
    /// Logical ID.
    pub logical_id: String,
    /// Physical ID.
    pub physical_id: String,
    /// Type.
    pub kind: String,
    /// Status.
    pub status: String,
    /// The fate when the stack is deleted.
    pub fate: Fate,
}

/// The fate of a resource whose stack is deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fate {
    /// The resource is deleted.
    #[default]
    Deleted,
    /// The resource is deleted after a snapshot, by its `DeletionPolicy`.
    Snapshot,
    /// The resource stays in the account, by its `DeletionPolicy`.
    Kept,
    /// The resource stays in the account, as requested.
    Retained,
}

impl Fate {
    pub(crate) fn of_policy(policy: &str) -> Fate {
        match policy {
            "Retain" | "RetainExceptOnCreate" => Fate::Kept,
            "Snapshot" => Fate::Snapshot,
            _ => Fate::Deleted,
        }
    }
}

impl StackResource {
    /// Reads an existing resource; `None` for one that was deleted or never created.
    pub(crate) fn new(summary: &Element, within: &[String]) -> Option<StackResource> {
        StackResource::listed(summary, within).filter(|resource| !resource.physical_id.is_empty())
    }

    /// Reads a resource, also one that was never created, whose physical ID is empty; `None` for one that was deleted.
    pub(crate) fn listed(summary: &Element, within: &[String]) -> Option<StackResource> {
        let text = |name| summary.string_of(name).unwrap_or_default();
        let status = text("ResourceStatus");
        if matches!(status.as_str(), "DELETE_COMPLETE" | "DELETE_SKIPPED") {
            return None;
        }
        Some(StackResource {
            within: within.to_vec(),
            logical_id: text("LogicalResourceId"),
            physical_id: text("PhysicalResourceId"),
            kind: text("ResourceType"),
            status,
            fate: Fate::Deleted,
        })
    }

    /// Returns the ARN of a resource that is a nested stack.
    pub fn nested_stack(&self) -> Option<&str> {
        let is_nested = self.kind == event::STACK && self.physical_id.starts_with("arn:");
        is_nested.then_some(self.physical_id.as_str())
    }

    /// Returns `true` if the resource is deleted with data that cannot be re-created.
    pub fn loses_data(&self) -> bool {
        self.fate == Fate::Deleted && is_stateful(&self.kind)
    }

    /// Returns `true` for an S3 bucket that is deleted.
    pub fn is_deleted_bucket(&self) -> bool {
        self.fate == Fate::Deleted && self.kind == "AWS::S3::Bucket"
    }

    /// Returns the logical ID after those of the enclosing nested stacks: `Nested/Topic`.
    pub fn path(&self) -> String {
        event::path(&self.within, &self.logical_id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_decide_what_stays() {
        for (policy, fate, loses) in [
            ("Delete", Fate::Deleted, true),
            ("Retain", Fate::Kept, false),
            ("RetainExceptOnCreate", Fate::Kept, false),
            ("Snapshot", Fate::Snapshot, false),
        ] {
            assert_eq!(Fate::of_policy(policy), fate, "{policy}");
            let kind = "AWS::RDS::DBInstance".to_owned();
            let resource = StackResource { kind, fate: Fate::of_policy(policy), ..StackResource::default() };
            assert_eq!(resource.loses_data(), loses, "{policy}");
        }
        let topic = StackResource { kind: "AWS::SNS::Topic".to_owned(), ..StackResource::default() };
        assert!(!topic.loses_data());
    }

    #[test]
    fn only_what_exists_is_a_resource() {
        let resource = |status: &str, physical: Option<&str>| {
            let child = |name: &str, text: &str| Element { name: name.into(), text: text.into(), children: Vec::new() };
            let mut children = vec![
                child("LogicalResourceId", "A"),
                child("ResourceType", "AWS::SNS::Topic"),
                child("ResourceStatus", status),
            ];
            children.extend(physical.map(|id| child("PhysicalResourceId", id)));
            StackResource::new(&Element { children, ..Element::default() }, &[])
        };
        assert!(resource("CREATE_COMPLETE", Some("a")).is_some());
        assert!(resource("DELETE_FAILED", Some("a")).is_some());
        assert!(resource("DELETE_COMPLETE", Some("a")).is_none());
        assert!(resource("CREATE_FAILED", None).is_none());
        assert!(resource("CREATE_FAILED", Some("")).is_none());
    }
}
