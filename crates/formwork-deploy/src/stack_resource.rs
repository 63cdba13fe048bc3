//! A resource of a stack, and what becomes of it when the stack is deleted.

use aws_sdk_cloudformation::types::StackResourceSummary;

use crate::change_set::is_stateful;
use crate::event;

/// A resource of a stack, and what becomes of it when the stack is deleted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackResource {
    /// Logical IDs of the nested stacks around it, outermost first.
    pub within: Vec<String>,
    /// Logical ID.
    pub logical_id: String,
    /// Physical ID.
    pub physical_id: String,
    /// Type.
    pub kind: String,
    /// Status.
    pub status: String,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a resource whose stack is deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fate {
    /// It is deleted.
    #[default]
    Deleted,
    /// It is deleted after a snapshot, by its `DeletionPolicy`.
    Snapshot,
    /// It stays in the account, by its `DeletionPolicy`.
    Kept,
    /// It stays in the account, as the request demands.
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
    /// A resource that exists; `None` for one that was deleted or never created.
    pub(crate) fn new(summary: StackResourceSummary, within: &[String]) -> Option<StackResource> {
        let status = summary.resource_status.map_or_else(String::new, |status| status.as_str().to_owned());
        if matches!(status.as_str(), "DELETE_COMPLETE" | "DELETE_SKIPPED") {
            return None;
        }
        Some(StackResource {
            within: within.to_vec(),
            logical_id: summary.logical_resource_id.unwrap_or_default(),
            physical_id: summary.physical_resource_id.filter(|id| !id.is_empty())?,
            kind: summary.resource_type.unwrap_or_default(),
            status,
            fate: Fate::Deleted,
        })
    }

    /// ARN of the nested stack that the resource is.
    pub fn nested_stack(&self) -> Option<&str> {
        let is_nested = self.kind == event::STACK && self.physical_id.starts_with("arn:");
        is_nested.then_some(self.physical_id.as_str())
    }

    /// Whether it is deleted with data that cannot be re-created.
    pub fn loses_data(&self) -> bool {
        self.fate == Fate::Deleted && is_stateful(&self.kind)
    }

    /// Whether it is an S3 bucket that is deleted.
    pub fn is_deleted_bucket(&self) -> bool {
        self.fate == Fate::Deleted && self.kind == "AWS::S3::Bucket"
    }

    /// The logical ID behind those of the nested stacks around it: `Nested/Topic`.
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
        let summary = |status: &str, physical: Option<&str>| {
            let summary = StackResourceSummary::builder().logical_resource_id("A").resource_type("AWS::SNS::Topic");
            summary.resource_status(status.into()).set_physical_resource_id(physical.map(str::to_owned)).build()
        };
        assert!(StackResource::new(summary("CREATE_COMPLETE", Some("a")), &[]).is_some());
        assert!(StackResource::new(summary("DELETE_FAILED", Some("a")), &[]).is_some());
        assert!(StackResource::new(summary("DELETE_COMPLETE", Some("a")), &[]).is_none());
        assert!(StackResource::new(summary("CREATE_FAILED", None), &[]).is_none());
        assert!(StackResource::new(summary("CREATE_FAILED", Some("")), &[]).is_none());
    }
}
