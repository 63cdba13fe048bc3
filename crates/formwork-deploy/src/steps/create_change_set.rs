//! Creates a change set, and describes it until its changes are known.

use std::collections::HashSet;

use aws_sdk_cloudformation::operation::describe_change_set::DescribeChangeSetOutput;
use aws_sdk_cloudformation::types::{Capability, ChangeSetStatus, ChangeSetType, Parameter, Tag};
use formwork_aws::{CallError, CallErrorKind, Paging};

use crate::calls::Calls;
use crate::change_set::{Change, ChangeSet};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::submission::{ChangeSetRequest, SentValue, TemplateSource};
use crate::unique_name::unique_name;

const CREATE: &str = "CreateChangeSet";
const DESCRIBE: &str = "DescribeChangeSet";

/// How often a change set that was just created may not be found yet.
const UNSEEN: usize = 5;

/// What a change set came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CreatedChangeSet {
    /// It can be executed.
    Ready(ChangeSet),
    /// There is nothing to change.
    Empty {
        /// ARN of the change set; none when the service did not even make one.
        id: Option<String>,
        /// ARN of the stack.
        stack_id: Option<String>,
    },
    /// The service cannot make it.
    Failed {
        /// ARN of the change set.
        id: String,
        /// Why.
        reason: String,
    },
}

/// Why there is no change set that could be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangeSetNotCreated {
    /// What ended it.
    pub error: DeployError,
    /// One that was created, or may have been, by ARN or name: nobody will execute it.
    pub change_set: Option<String>,
}

/// Whether the service may have created a change set although no answer confirms it.
fn may_be_made(error: &DeployError) -> bool {
    matches!(error, DeployError::Interrupted | DeployError::TimedOut) || error.may_be_done()
}

/// Wordings by which the service reports that there is nothing to change.
const NOTHING: [&str; 2] = ["The submitted information didn't contain changes.", "No updates are to be performed"];

/// Whether a change set failed since there is nothing to change.
fn is_empty(status: &ChangeSetStatus, reason: &str) -> bool {
    *status == ChangeSetStatus::Failed && says_nothing(reason)
}

fn says_nothing(reason: &str) -> bool {
    NOTHING.iter().any(|words| reason.contains(words))
}

impl Calls {
    pub(crate) async fn create_change_set(
        &mut self,
        request: ChangeSetRequest<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<CreatedChangeSet, ChangeSetNotCreated> {
        let ChangeSetRequest { stack_name, is_create, role_arn, submission } = request;
        let name = submission.change_set_name.clone().unwrap_or_else(|| unique_name("formwork"));
        let parameter = |(name, value): &(String, SentValue)| {
            let parameter = Parameter::builder().parameter_key(name);
            match value {
                SentValue::New(value) => parameter.parameter_value(value).build(),
                SentValue::Previous => parameter.use_previous_value(true).build(),
            }
        };
        let parameters: Vec<Parameter> = submission.parameters.iter().map(parameter).collect();
        let tag = |(key, value): &(String, String)| Tag::builder().key(key).value(value).build();
        let capabilities: Vec<Capability> = submission.capabilities.iter().map(|name| name.as_str().into()).collect();
        let call = self
            .client
            .create_change_set()
            .stack_name(stack_name)
            .change_set_name(&name)
            // The same request twice, after a lost answer, is one change set.
            .client_token(unique_name("formwork"))
            .change_set_type(if is_create { ChangeSetType::Create } else { ChangeSetType::Update })
            .set_description(submission.description.clone())
            .set_parameters((!parameters.is_empty()).then_some(parameters))
            .set_capabilities((!capabilities.is_empty()).then_some(capabilities))
            .set_tags(submission.tags.as_ref().map(|tags| tags.iter().map(tag).collect()))
            .set_role_arn(role_arn.map(str::to_owned))
            .set_notification_arns(submission.notification_arns.clone())
            .set_include_nested_stacks(submission.with_nested.then_some(true));
        let call = match &submission.template {
            TemplateSource::Body(body) => call.template_body(body),
            TemplateSource::Url(url) => call.template_url(url),
        };
        let mut retry = Retry::asking(&self.intervals);
        let answer = match retry.ask(CREATE, &mut self.deadline, sink, || call.clone().send()).await {
            Ok(answer) => answer,
            Err(DeployError::Call { source: failure, .. }) if failure.sentence().is_some_and(says_nothing) => {
                return Ok(CreatedChangeSet::Empty { id: None, stack_id: None });
            }
            Err(error) => return Err(ChangeSetNotCreated { change_set: may_be_made(&error).then_some(name), error }),
        };
        let id = answer.id.unwrap_or_else(|| name.clone());
        let left = |error| ChangeSetNotCreated { error, change_set: Some(id.clone()) };
        let (first, mut changes) = self.until_known(stack_name, &id, sink).await.map_err(left)?;
        let stack_id = first.stack_id;
        let status = first.status.unwrap_or(ChangeSetStatus::Failed);
        let reason = first.status_reason.unwrap_or_default();
        if is_empty(&status, &reason) {
            return Ok(CreatedChangeSet::Empty { id: Some(id), stack_id });
        }
        if status != ChangeSetStatus::CreateComplete {
            let reason = if reason.is_empty() { status.as_str().to_owned() } else { reason };
            return Ok(CreatedChangeSet::Failed { id, reason });
        }
        if submission.with_nested {
            changes = self.with_nested(changes, sink).await.map_err(left)?;
        }
        let changes = changes.into_iter().map(|(change, _)| change).collect();
        let stack_id = stack_id.unwrap_or_else(|| stack_name.to_owned());
        Ok(CreatedChangeSet::Ready(ChangeSet { id, name, stack_id, changes }))
    }

    /// Describes a change set until it is created or has failed.
    async fn until_known(
        &mut self,
        stack: &str,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<(DescribeChangeSetOutput, Vec<Found>), DeployError> {
        let (mut pause, mut unseen) = (self.intervals.change_set, 0);
        loop {
            match self.described(Some(stack), id, &[], sink).await {
                Ok((first, changes)) => {
                    if !first.status.as_ref().is_some_and(is_pending) {
                        return Ok((first, changes));
                    }
                }
                // What was just created may not be visible everywhere.
                Err(DeployError::Call { source: failure, .. }) if is_unseen(&failure) && unseen < UNSEEN => unseen += 1,
                Err(stop) => return Err(stop),
            }
            self.deadline.pause(pause).await?;
            pause = (pause * 3 / 2).min(self.intervals.change_set_most);
        }
    }

    /// A change set with all pages of its changes.
    async fn described(
        &mut self,
        stack: Option<&str>,
        id: &str,
        within: &[String],
        sink: &mut dyn EventSink,
    ) -> Result<(DescribeChangeSetOutput, Vec<Found>), DeployError> {
        let mut retry = Retry::watching(&self.intervals);
        let mut changes: Vec<Found> = Vec::new();
        let mut first: Option<DescribeChangeSetOutput> = None;
        let (mut paging, mut next) = (Paging::default(), None);
        loop {
            let call = self.client.describe_change_set().change_set_name(id).set_next_token(next);
            let call = call.set_stack_name(stack.filter(|_| !id.starts_with("arn:")).map(str::to_owned));
            let mut page = retry.ask(DESCRIBE, &mut self.deadline, sink, || call.clone().send()).await?;
            let following = paging.next(page.next_token.take());
            next = following.map_err(|failure| DeployError::Call { call: DESCRIBE, source: failure })?;
            for change in page.changes.take().unwrap_or_default() {
                if let Some(change) = change.resource_change {
                    changes.push((Change::new(&change, within), change.change_set_id));
                }
            }
            let head = first.take().unwrap_or(page);
            if next.is_none() {
                return Ok((head, changes));
            }
            first = Some(head);
        }
    }

    /// The changes with those of nested change sets behind the change of their stack.
    async fn with_nested(&mut self, changes: Vec<Found>, sink: &mut dyn EventSink) -> Result<Vec<Found>, DeployError> {
        let mut all: Vec<Found> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        // The next change to take is the last one here.
        let mut open: Vec<Found> = changes.into_iter().rev().collect();
        while let Some((change, nested)) = open.pop() {
            // A service that nests a change set in itself is not followed for ever.
            if let Some(id) = nested.as_ref().filter(|id| seen.insert((*id).clone())) {
                let mut within = change.within.clone();
                within.push(change.logical_id.clone());
                let (_, below) = self.described(None, id, &within, sink).await?;
                open.extend(below.into_iter().rev());
            }
            all.push((change, nested));
        }
        Ok(all)
    }
}

/// A change, and the change set of the nested stack that it is about.
type Found = (Change, Option<String>);

fn is_pending(status: &ChangeSetStatus) -> bool {
    matches!(status, ChangeSetStatus::CreatePending | ChangeSetStatus::CreateInProgress)
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
        let check = |status, reason, want| assert_eq!(is_empty(&status, reason), want, "{reason}");
        let submitted =
            "The submitted information didn't contain changes. Submit different information to create a change set.";
        check(ChangeSetStatus::Failed, submitted, true);
        check(ChangeSetStatus::Failed, "No updates are to be performed.", true);
        check(ChangeSetStatus::Failed, "Transform AWS::Serverless-2016-10-31 failed with: oh", false);
        // The reason alone decides nothing.
        check(ChangeSetStatus::CreateComplete, submitted, false);
        check(ChangeSetStatus::CreateComplete, "No updates are to be performed.", false);
    }
}
