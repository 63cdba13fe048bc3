//! A stack in a list of all stacks.

use formwork_aws::Element;

/// A stack in a list of all stacks. Times are as the service writes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct StackSummary {
    /// Its name.
    pub name: String,
    /// Its ARN.
    pub id: String,
    /// Its status.
    pub status: String,
    /// When it was created.
    pub created: Option<String>,
    /// When it was last updated.
    pub updated: Option<String>,
    /// Whether it is nested in another stack.
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
