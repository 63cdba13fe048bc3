//! A stack in a list of all stacks.

use formwork_aws::Element;

/// A stack in a list of all stacks. Times are in the notation of CloudFormation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackSummary {
    /// Name of the stack.
    pub name: String,
    /// ARN of the stack.
    pub id: String,
    /// Status of the stack.
    pub status: String,
    /// Time of the creation.
    pub created: Option<String>,
    /// Time of the last update.
    pub updated: Option<String>,
    /// Set when the stack is nested in another one.
    pub is_nested: bool,
}

impl From<&Element> for StackSummary {
    fn from(summary: &Element) -> StackSummary {
        let text = |name| summary.string_of(name).filter(|text| !text.is_empty());
        StackSummary {
            name: text("StackName").unwrap_or_default(),
            id: text("StackId").unwrap_or_default(),
            status: text("StackStatus").unwrap_or_default(),
            created: text("CreationTime"),
            updated: text("LastUpdatedTime"),
            is_nested: text("ParentId").is_some(),
        }
    }
}
