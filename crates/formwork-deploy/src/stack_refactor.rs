//! Stack refactors as CloudFormation describes them.

use formwork_aws::Element;

use crate::submission::TemplateSource;

/// The content of a stack refactor.
#[derive(Clone, Copy, Debug)]
pub struct StackRefactorRequest<'a> {
    /// The stacks by name, each with its complete template after the refactor.
    pub definitions: &'a [(String, TemplateSource)],
    /// Stack and logical ID of each resource, before and after.
    pub mappings: &'a [(StackResourceName, StackResourceName)],
    /// Creates stacks that do not exist.
    pub creates_stacks: bool,
    /// Description of the refactor.
    pub description: Option<&'a str>,
}

/// The name of a stack and a logical ID in it.
pub type StackResourceName = (String, String);

/// The state of a stack refactor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackRefactor {
    /// `CREATE_COMPLETE` and similar values.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// `AVAILABLE` and similar values.
    pub execution_status: String,
    /// Reason for the execution status.
    pub execution_reason: Option<String>,
    /// ARNs of the stacks.
    pub stacks: Vec<String>,
}

/// An action of a stack refactor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackRefactorAction {
    /// `MOVE` or `CREATE`; an unknown one as it was sent.
    pub action: String,
    /// `RESOURCE` or `STACK`.
    pub entity: String,
    /// Physical ID of the resource.
    pub physical_id: Option<String>,
    /// Description of the action by CloudFormation.
    pub description: Option<String>,
    /// `AUTO` or `MANUAL`: the way in which the action was found.
    pub detection: Option<String>,
    /// Stack (by name or ARN) and logical ID before and after.
    pub mapping: Option<(StackResourceName, StackResourceName)>,
    /// Tags that are added to the resource.
    pub tags: Vec<(String, String)>,
    /// Keys of tags that are removed.
    pub untags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Course {
    GoesOn,
    Done,
    Failed,
}

impl Course {
    /// Classifies a status of a refactor or of its execution. Unknown ones end nothing.
    pub(crate) fn of(status: &str) -> Course {
        match status {
            "ROLLBACK_COMPLETE" | "OBSOLETE" => Course::Failed,
            status if status.ends_with("FAILED") => Course::Failed,
            // The AWS guide shows these where the API model has `CREATE_COMPLETE` and `EXECUTE_COMPLETE`.
            "COMPLETE" | "SUCCEEDED" | "CREATE_COMPLETE" | "EXECUTE_COMPLETE" => Course::Done,
            _ => Course::GoesOn,
        }
    }
}

impl StackRefactor {
    /// Returns `true` once the refactor is created.
    pub fn is_created(&self) -> bool {
        Course::of(&self.status) == Course::Done
    }

    /// Returns `true` if the refactor can still be executed, as far as is known.
    pub fn is_open(&self) -> bool {
        const CLOSED: [&str; 3] = ["UNAVAILABLE", "EXECUTE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"];
        !CLOSED.contains(&self.execution_status.as_str()) && Course::of(&self.execution_status) == Course::GoesOn
    }

    /// Returns `true` if the refactor was executed without a rollback.
    pub fn is_executed(&self) -> bool {
        Course::of(&self.execution_status) == Course::Done
    }
}

impl From<&Element> for StackRefactor {
    fn from(answer: &Element) -> StackRefactor {
        let text = |name| answer.string_of(name).filter(|text| !text.is_empty());
        StackRefactor {
            status: text("Status").unwrap_or_default(),
            reason: text("StatusReason"),
            execution_status: text("ExecutionStatus").unwrap_or_default(),
            execution_reason: text("ExecutionStatusReason"),
            stacks: answer.items("StackIds").iter().map(|id| id.text.clone()).collect(),
        }
    }
}

impl From<&Element> for StackRefactorAction {
    fn from(answer: &Element) -> StackRefactorAction {
        let text = |name| answer.string_of(name).filter(|text| !text.is_empty());
        let name = |one: &Element| Some((one.string_of("StackName")?, one.string_of("LogicalResourceId")?));
        let mapping = answer.child("ResourceMapping");
        let side = |which| mapping.and_then(|mapping| mapping.child(which)).and_then(name);
        StackRefactorAction {
            action: text("Action").unwrap_or_default(),
            entity: text("Entity").unwrap_or_default(),
            physical_id: text("PhysicalResourceId"),
            description: text("Description"),
            detection: text("Detection"),
            mapping: side("Source").zip(side("Destination")),
            tags: answer
                .items("TagResources")
                .iter()
                .filter_map(|tag| Some((tag.string_of("Key")?, tag.string_of("Value")?)))
                .collect(),
            untags: answer.items("UntagResources").iter().map(|key| key.text.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_of_the_model_and_of_the_guide() {
        let of = |statuses: &[&str], want| {
            for status in statuses {
                assert_eq!(Course::of(status), want, "{status}");
            }
        };
        of(&["CREATE_COMPLETE", "COMPLETE", "EXECUTE_COMPLETE", "SUCCEEDED"], Course::Done);
        of(&["CREATE_FAILED", "EXECUTE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "OBSOLETE"], Course::Failed);
        of(&["CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "AVAILABLE", "SOMETHING_NEW", ""], Course::GoesOn);
    }
}
