//! A stack refactor at the service, as it describes it.

use formwork_aws::Element;

use crate::submission::TemplateSource;

/// What a stack refactor is made of.
#[derive(Clone, Copy, Debug)]
pub struct StackRefactorRequest<'a> {
    /// The stacks by name, each with its complete template after the refactor.
    pub definitions: &'a [(String, TemplateSource)],
    /// Stack and logical ID of each resource, before and after.
    pub mappings: &'a [(StackResourceName, StackResourceName)],
    /// Whether stacks that do not exist are created.
    pub creates_stacks: bool,
    /// What it is for.
    pub description: Option<&'a str>,
}

/// The name of a stack and a logical ID in it.
pub type StackResourceName = (String, String);

/// How far a stack refactor is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackRefactor {
    /// `CREATE_COMPLETE` and its like.
    pub status: String,
    /// Why it has that status.
    pub reason: Option<String>,
    /// `AVAILABLE` and its like.
    pub execution_status: String,
    /// Why it has that status.
    pub execution_reason: Option<String>,
    /// The ARNs of its stacks.
    pub stacks: Vec<String>,
}

/// Something that a stack refactor does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackRefactorAction {
    /// `MOVE` or `CREATE`; an unknown one as it was sent.
    pub action: String,
    /// `RESOURCE` or `STACK`.
    pub entity: String,
    /// The physical ID of the resource.
    pub physical_id: Option<String>,
    /// What it does, in the words of the service.
    pub description: Option<String>,
    /// `AUTO` or `MANUAL`: who found it.
    pub detection: Option<String>,
    /// Stack (by name or ARN) and logical ID before and after.
    pub mapping: Option<(StackResourceName, StackResourceName)>,
    /// Tags that the resource gets.
    pub tags: Vec<(String, String)>,
    /// Keys of tags that it loses.
    pub untags: Vec<String>,
}

/// What becomes of something that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Course {
    GoesOn,
    Done,
    Failed,
}

impl Course {
    /// By a status of a refactor or of its execution. Unknown ones end nothing.
    pub(crate) fn of(status: &str) -> Course {
        match status {
            "ROLLBACK_COMPLETE" | "OBSOLETE" => Course::Failed,
            status if status.ends_with("FAILED") => Course::Failed,
            // The guide shows these where the model has `CREATE_COMPLETE` and `EXECUTE_COMPLETE`.
            "COMPLETE" | "SUCCEEDED" | "CREATE_COMPLETE" | "EXECUTE_COMPLETE" => Course::Done,
            _ => Course::GoesOn,
        }
    }
}

impl StackRefactor {
    /// Whether it was created.
    pub fn is_created(&self) -> bool {
        Course::of(&self.status) == Course::Done
    }

    /// Whether it can still be executed, as far as is known.
    pub fn is_open(&self) -> bool {
        const CLOSED: [&str; 3] = ["UNAVAILABLE", "EXECUTE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"];
        !CLOSED.contains(&self.execution_status.as_str()) && Course::of(&self.execution_status) == Course::GoesOn
    }

    /// Whether it was executed, and nothing was rolled back.
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
