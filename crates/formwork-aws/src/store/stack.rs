//! Stacks with buckets and repositories for packaged artifacts.

use crate::call_error::CallError;
use crate::cloud_formation::CloudFormation;
use crate::xml_api::{Element, QueryRequest};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stack {
    /// Empty when CloudFormation returns no status.
    pub(super) status: String,
    pub(super) tags: Vec<(String, String)>,
    pub(super) outputs: Vec<(String, String)>,
}

impl Stack {
    fn new(stack: &Element) -> Stack {
        let pairs = |list, key, value| {
            let pairs = stack.items(list).iter();
            pairs.filter_map(|pair| Some((pair.string_of(key)?, pair.string_of(value)?))).collect()
        };
        Stack {
            status: stack.string_of("StackStatus").unwrap_or_default(),
            tags: pairs("Tags", "Key", "Value"),
            outputs: pairs("Outputs", "OutputKey", "OutputValue"),
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.status.ends_with("_IN_PROGRESS")
    }

    /// `true` if the stack has no resources yet: only its change set was created.
    pub(super) fn is_in_review(&self) -> bool {
        self.status == "REVIEW_IN_PROGRESS"
    }
}

pub(super) async fn describe(client: &CloudFormation, name: &str) -> Result<Option<Stack>, CallError> {
    match client.call(QueryRequest::new("DescribeStacks").with("StackName", name)).await {
        Ok(answer) => Ok(answer.items("Stacks").first().map(Stack::new)),
        Err(error) if error.sentence().is_some_and(|message| message.contains("does not exist")) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) async fn create(
    client: &CloudFormation,
    name: &str,
    template: &str,
    (key, value): (&str, &str),
) -> Result<(), CallError> {
    let request = QueryRequest::new("CreateStack").with("StackName", name).with("TemplateBody", template);
    match client.call(request.with_records("Tags", [[("Key", key), ("Value", value)]])).await {
        Ok(_) => Ok(()),
        // Another client was faster.
        Err(error) if error.code.as_deref() == Some("AlreadyExistsException") => Ok(()),
        Err(error) => Err(error),
    }
}

/// Updates a stack, if its template differs.
pub(super) async fn update(client: &CloudFormation, name: &str, template: &str) -> Result<(), CallError> {
    let request = QueryRequest::new("UpdateStack").with("StackName", name).with("TemplateBody", template);
    match client.call(request).await {
        Ok(_) => Ok(()),
        // Another client was faster.
        Err(error) if error.sentence().is_some_and(|message| message.contains("No updates are to be performed")) => {
            Ok(())
        }
        Err(error) => Err(error),
    }
}
