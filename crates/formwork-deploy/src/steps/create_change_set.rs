//! Creates a change set, and describes it until its changes are known.

use std::collections::HashSet;

use formwork_aws::{CallError, CallErrorKind, Element, QueryRequest};

use crate::calls::Calls;
use crate::change_set::{Change, ChangeSet};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::EXPRESS;
use crate::retry::Retry;
use crate::submission::{ChangeSetRequest, SentValue, Submission};
use crate::unique_name::unique_name;

const CREATE: &str = "CreateChangeSet";
const DESCRIBE: &str = "DescribeChangeSet";

const FAILED: &str = "FAILED";

/// Maximum number of descriptions of a new change set that may not find it yet.
const UNSEEN: usize = 5;

/// The result of creating a change set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CreatedChangeSet {
    /// The change set can be executed.
    Ready(ChangeSet),
    /// The change set has no changes.
    Empty {
        /// ARN of the change set; `None` when CloudFormation did not even create it.
        id: Option<String>,
        /// ARN of the stack.
        stack_id: Option<String>,
    },
    /// CloudFormation cannot create the change set.
    Failed {
        /// ARN of the change set.
        id: String,
        /// The reason of CloudFormation.
        reason: String,
        /// The changes, as far as they are known.
        changes: Vec<Change>,
    },
}

/// The error when no change set can be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSetNotCreated {
    /// The error that ended the creation.
    pub error: DeployError,
    /// The change set that was created, or may have been, by ARN or name: it will not be executed.
    pub change_set: Option<String>,
}

/// `true` if CloudFormation may have created a change set although no answer confirms it.
fn may_be_made(error: &DeployError) -> bool {
    matches!(error, DeployError::Interrupted | DeployError::TimedOut) || error.may_be_done()
}

/// Sentences by which CloudFormation reports an empty change set.
const NOTHING: [&str; 2] = ["The submitted information didn't contain changes.", "No updates are to be performed"];

fn is_empty(status: &str, reason: &str) -> bool {
    status == FAILED && is_uninformative(reason)
}

pub(super) fn is_uninformative(reason: &str) -> bool {
    NOTHING.iter().any(|words| reason.contains(words))
}

impl Calls {
    pub(crate) async fn create_change_set(
        &mut self,
        request: ChangeSetRequest<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<CreatedChangeSet, ChangeSetNotCreated> {
        let ChangeSetRequest { stack_name, submission, .. } = request;
        let name = submission.change_set_name.clone().unwrap_or_else(|| unique_name("formwork"));
        let call = create(request, &name);
        self.includes_values = request.reverts_drift;
        let mut retry = Retry::asking(&self.intervals);
        let answer = match retry.ask(CREATE, &mut self.deadline, sink, || self.client.call(call.clone())).await {
            Ok(answer) => answer,
            Err(DeployError::Call { source: failure, .. }) if failure.sentence().is_some_and(is_uninformative) => {
                return Ok(CreatedChangeSet::Empty { id: None, stack_id: None });
            }
            Err(error) => return Err(ChangeSetNotCreated { change_set: may_be_made(&error).then_some(name), error }),
        };
        let id = answer.string_of("Id").unwrap_or_else(|| name.clone());
        let left = |error| ChangeSetNotCreated { error, change_set: Some(id.clone()) };
        let (first, mut changes) = self.until_known(Some(stack_name), &id, true, sink).await.map_err(left)?;
        let stack_id = first.string_of("StackId");
        let status = first.text_of("Status").unwrap_or(FAILED);
        let reason = first.text_of("StatusReason").unwrap_or_default();
        if is_empty(status, reason) {
            return Ok(CreatedChangeSet::Empty { id: Some(id), stack_id });
        }
        if status != "CREATE_COMPLETE" {
            let reason = if reason.is_empty() { status } else { reason };
            return Ok(CreatedChangeSet::Failed { id, reason: reason.to_owned(), changes });
        }
        if submission.with_nested {
            changes = self.with_nested(changes, sink).await.map_err(left)?;
        }
        let stack_id = stack_id.unwrap_or_else(|| stack_name.to_owned());
        let stack_drift = first.string_of("StackDriftStatus").filter(|status| !status.is_empty());
        let has_values = self.includes_values;
        Ok(CreatedChangeSet::Ready(ChangeSet { id, name, stack_id, changes, stack_drift, has_values }))
    }

    /// Describes a change set until it is created or has failed. A new one may not be found immediately.
    pub(super) async fn until_known(
        &mut self,
        stack: Option<&str>,
        id: &str,
        is_new: bool,
        sink: &mut dyn EventSink,
    ) -> Result<(Element, Vec<Change>), DeployError> {
        let (mut pause, mut unseen) = (self.intervals.change_set, 0);
        loop {
            match self.described(stack, id, &[], sink).await {
                Ok((first, changes)) => {
                    if !first.text_of("Status").is_some_and(is_pending) {
                        return Ok((first, changes));
                    }
                }
                // A new change set may not be visible everywhere.
                Err(DeployError::Call { source: failure, .. }) if is_new && is_unseen(&failure) && unseen < UNSEEN => {
                    unseen += 1;
                }
                Err(stop) => return Err(stop),
            }
            self.deadline.pause(pause).await?;
            pause = (pause * 3 / 2).min(self.intervals.change_set_most);
        }
    }

    /// Returns a change set with all pages of its changes.
    pub(super) async fn described(
        &mut self,
        stack: Option<&str>,
        id: &str,
        within: &[String],
        sink: &mut dyn EventSink,
    ) -> Result<(Element, Vec<Change>), DeployError> {
        let mut retry = Retry::watching(&self.intervals);
        let mut changes: Vec<Change> = Vec::new();
        let mut first: Option<Element> = None;
        let (mut paging, mut next) = (self.listing(DESCRIBE)?, None::<String>);
        loop {
            let call = QueryRequest::new(DESCRIBE).with("ChangeSetName", id).with_some("NextToken", next.as_deref());
            let call = call.with_some("StackName", stack.filter(|_| !id.starts_with("arn:")));
            let call = call.with_some("IncludePropertyValues", self.includes_values.then_some("true"));
            let page = retry.ask(DESCRIBE, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            let following = paging.next(page.string_of("NextToken"));
            next = following.map_err(|failure| DeployError::Call { call: DESCRIBE, source: failure })?;
            for change in page.items("Changes").iter().filter_map(|change| change.child("ResourceChange")) {
                changes.push(Change::new(change, within));
            }
            let head = first.take().unwrap_or(page);
            if next.is_none() {
                return Ok((head, changes));
            }
            first = Some(head);
        }
    }

    /// Inserts the changes of nested change sets after the change of their stack.
    pub(super) async fn with_nested(
        &mut self,
        changes: Vec<Change>,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Change>, DeployError> {
        let mut all: Vec<Change> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        // The last entry is the next change to visit.
        let mut open: Vec<Change> = changes.into_iter().rev().collect();
        while let Some(change) = open.pop() {
            // Prevents an endless loop when a change set contains itself.
            if let Some(id) = change.change_set.as_ref().filter(|id| seen.insert((*id).clone())) {
                let mut within = change.within.clone();
                within.push(change.logical_id.clone());
                let (_, below) = self.described(None, id, &within, sink).await?;
                open.extend(below.into_iter().rev());
            }
            all.push(change);
        }
        Ok(all)
    }
}

fn create(request: ChangeSetRequest<'_>, name: &str) -> QueryRequest {
    let ChangeSetRequest { stack_name, is_create, role_arn, express, reverts_drift, submission } = request;
    let Submission { parameters, capabilities, tags, notification_arns, .. } = submission;
    let mut call = submission.template.sent_by(QueryRequest::new(CREATE).with("StackName", stack_name));
    if !parameters.is_empty() {
        let records = parameters.iter().map(|(name, value)| {
            let (field, value) = match value {
                SentValue::New(value) => ("ParameterValue", value.as_str()),
                SentValue::Previous => ("UsePreviousValue", "true"),
            };
            [("ParameterKey", name.as_str()), (field, value)]
        });
        call = call.with_records("Parameters", records);
    }
    if !capabilities.is_empty() {
        call = call.with_list("Capabilities", capabilities.iter().map(String::as_str));
    }
    call = call.with_some("RoleARN", role_arn);
    if let Some(disables_rollback) = express {
        // Without this setting, express mode does not roll back.
        let disables_rollback = if disables_rollback { "true" } else { "false" };
        call = call.with("DeploymentConfig.Mode", EXPRESS).with("DeploymentConfig.DisableRollback", disables_rollback);
    }
    if let Some(topics) = notification_arns {
        call = call.with_list("NotificationARNs", topics.iter().map(String::as_str));
    }
    if let Some(tags) = tags {
        call = call.with_records("Tags", tags.iter().map(|(key, value)| [("Key", key.as_str()), ("Value", value)]));
    }
    for (import, number) in submission.imports.iter().zip(1..) {
        call = import.sent_by(call, number);
    }
    if let Some(rollback) = &submission.rollback {
        call = rollback.sent_by(call);
    }
    if let Some(types) = &submission.resource_types {
        call = call.with_list("ResourceTypes", types.iter().map(String::as_str));
    }
    let kind = match is_create {
        _ if !submission.imports.is_empty() => "IMPORT",
        true => "CREATE",
        false => "UPDATE",
    };
    call.with("ChangeSetName", name)
        // A repeated request, after a lost answer, creates one change set.
        .with("ClientToken", &unique_name("formwork"))
        .with_some("Description", submission.description.as_deref())
        .with("ChangeSetType", kind)
        .with_some("DeploymentMode", reverts_drift.then_some("REVERT_DRIFT"))
        .with_some("ImportExistingResources", submission.imports_existing.then_some("true"))
        .with_some("IncludeNestedStacks", submission.with_nested.then_some("true"))
        .with_some("DisableValidation", submission.disables_validation.then_some("true"))
}

/// `true` while a change set is being created. An unknown status ends nothing.
fn is_pending(status: &str) -> bool {
    !matches!(status, "" | "CREATE_COMPLETE" | FAILED) && !status.starts_with("DELETE_")
}

fn is_unseen(failure: &CallError) -> bool {
    failure.kind == CallErrorKind::Refused
        && matches!(failure.code.as_deref(), Some("ChangeSetNotFound" | "ChangeSetNotFoundException"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_change_in_every_wording() {
        let check = |status, reason, want| assert_eq!(is_empty(status, reason), want, "{reason}");
        let submitted =
            "The submitted information didn't contain changes. Submit different information to create a change set.";
        check(FAILED, submitted, true);
        check(FAILED, "No updates are to be performed.", true);
        check(FAILED, "Transform AWS::Serverless-2016-10-31 failed with: oh", false);
        // The reason alone decides nothing.
        check("CREATE_COMPLETE", submitted, false);
        check("CREATE_COMPLETE", "No updates are to be performed.", false);
    }
}
