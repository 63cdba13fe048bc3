//! A change set: made, and looked at until it is known what it would do.

use std::collections::HashSet;

use aws_sdk_cloudformation::operation::describe_change_set::DescribeChangeSetOutput;
use aws_sdk_cloudformation::types::{Capability, ChangeSetStatus, ChangeSetType, Parameter, Tag};
use formwork_aws::{Failure, Paging, Reason};

use crate::change_set::{Change, ChangeSet};
use crate::proposal::{Proposal, Sent, TemplateSource};
use crate::service::Calls;
use crate::stop::Stop;
use crate::unique_name::unique_name;
use crate::waiting::Patience;
use crate::watcher::Watcher;

const CREATE: &str = "CreateChangeSet";
const DESCRIBE: &str = "DescribeChangeSet";

/// How often a change set that was just made may not be found yet.
const UNSEEN: usize = 5;

/// What a change set came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposed {
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
pub struct Unproposed {
    /// What ended it.
    pub stop: Stop,
    /// One that was made, or may have been, by ARN or name: nobody will execute it.
    pub change_set: Option<String>,
}

/// Whether the service may have made a change set although it did not tell.
fn may_be_made(stop: &Stop) -> bool {
    match stop {
        Stop::Interrupted | Stop::TimedOut => true,
        Stop::Failed { failure, .. } => {
            matches!(failure.reason, Reason::TimedOut | Reason::Unreachable | Reason::Malformed | Reason::Endless)
        }
    }
}

/// Wordings by which the service says that there is nothing to change.
const NOTHING: [&str; 2] = ["The submitted information didn't contain changes.", "No updates are to be performed"];

/// Whether a change set failed since there is nothing to change.
fn is_empty(status: &ChangeSetStatus, reason: &str) -> bool {
    *status == ChangeSetStatus::Failed && says_nothing(reason)
}

fn says_nothing(reason: &str) -> bool {
    NOTHING.iter().any(|words| reason.contains(words))
}

impl Calls {
    pub(crate) async fn propose(
        &mut self,
        proposal: &Proposal,
        watcher: &mut dyn Watcher,
    ) -> Result<Proposed, Unproposed> {
        let name = proposal.name.clone().unwrap_or_else(|| unique_name("formwork"));
        let parameter = |(name, sent): &(String, Sent)| {
            let parameter = Parameter::builder().parameter_key(name);
            match sent {
                Sent::Value(value) => parameter.parameter_value(value).build(),
                Sent::Previous => parameter.use_previous_value(true).build(),
            }
        };
        let parameters: Vec<Parameter> = proposal.parameters.iter().map(parameter).collect();
        let tag = |(key, value): &(String, String)| Tag::builder().key(key).value(value).build();
        let capabilities: Vec<Capability> = proposal.capabilities.iter().map(|name| name.as_str().into()).collect();
        let call = self
            .client
            .create_change_set()
            .stack_name(&proposal.stack_name)
            .change_set_name(&name)
            // The same request twice, after a lost answer, is one change set.
            .client_token(unique_name("formwork"))
            .change_set_type(if proposal.is_create { ChangeSetType::Create } else { ChangeSetType::Update })
            .set_description(proposal.description.clone())
            .set_parameters((!parameters.is_empty()).then_some(parameters))
            .set_capabilities((!capabilities.is_empty()).then_some(capabilities))
            .set_tags(proposal.tags.as_ref().map(|tags| tags.iter().map(tag).collect()))
            .set_role_arn(proposal.role_arn.clone())
            .set_notification_arns(proposal.notification_arns.clone())
            .set_include_nested_stacks(proposal.with_nested.then_some(true));
        let call = match &proposal.template {
            TemplateSource::Body(body) => call.template_body(body),
            TemplateSource::Url(url) => call.template_url(url),
        };
        let mut patience = Patience::asking(&self.pace);
        let answer = match patience.ask(CREATE, &mut self.waiting, watcher, || call.clone().send()).await {
            Ok(answer) => answer,
            Err(Stop::Failed { failure, .. }) if failure.sentence().is_some_and(says_nothing) => {
                return Ok(Proposed::Empty { id: None, stack_id: None });
            }
            Err(stop) => return Err(Unproposed { change_set: may_be_made(&stop).then_some(name), stop }),
        };
        let id = answer.id.unwrap_or_else(|| name.clone());
        let left = |stop| Unproposed { stop, change_set: Some(id.clone()) };
        let (first, mut changes) = self.until_known(&proposal.stack_name, &id, watcher).await.map_err(left)?;
        let stack_id = first.stack_id;
        let status = first.status.unwrap_or(ChangeSetStatus::Failed);
        let reason = first.status_reason.unwrap_or_default();
        if is_empty(&status, &reason) {
            return Ok(Proposed::Empty { id: Some(id), stack_id });
        }
        if status != ChangeSetStatus::CreateComplete {
            let reason = if reason.is_empty() { status.as_str().to_owned() } else { reason };
            return Ok(Proposed::Failed { id, reason });
        }
        if proposal.with_nested {
            changes = self.with_nested(changes, watcher).await.map_err(left)?;
        }
        let changes = changes.into_iter().map(|(change, _)| change).collect();
        let stack_id = stack_id.unwrap_or_else(|| proposal.stack_name.clone());
        Ok(Proposed::Ready(ChangeSet { id, name, stack_id, changes }))
    }

    /// Looks at a change set until it is made or has failed.
    async fn until_known(
        &mut self,
        stack: &str,
        id: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<(DescribeChangeSetOutput, Vec<Found>), Stop> {
        let (mut pause, mut unseen) = (self.pace.change_set, 0);
        loop {
            match self.described(Some(stack), id, &[], watcher).await {
                Ok((first, changes)) => {
                    if !first.status.as_ref().is_some_and(is_pending) {
                        return Ok((first, changes));
                    }
                }
                // What was just made may not be seen everywhere.
                Err(Stop::Failed { failure, .. }) if is_unseen(&failure) && unseen < UNSEEN => unseen += 1,
                Err(stop) => return Err(stop),
            }
            self.waiting.pause(pause).await?;
            pause = (pause * 3 / 2).min(self.pace.change_set_most);
        }
    }

    /// A change set with all pages of its changes.
    async fn described(
        &mut self,
        stack: Option<&str>,
        id: &str,
        within: &[String],
        watcher: &mut dyn Watcher,
    ) -> Result<(DescribeChangeSetOutput, Vec<Found>), Stop> {
        let mut patience = Patience::watching(&self.pace);
        let mut changes: Vec<Found> = Vec::new();
        let mut first: Option<DescribeChangeSetOutput> = None;
        let (mut paging, mut next) = (Paging::default(), None);
        loop {
            let call = self.client.describe_change_set().change_set_name(id).set_next_token(next);
            let call = call.set_stack_name(stack.filter(|_| !id.starts_with("arn:")).map(str::to_owned));
            let mut page = patience.ask(DESCRIBE, &mut self.waiting, watcher, || call.clone().send()).await?;
            let following = paging.next(page.next_token.take());
            next = following.map_err(|failure| Stop::Failed { call: DESCRIBE, failure })?;
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
    async fn with_nested(&mut self, changes: Vec<Found>, watcher: &mut dyn Watcher) -> Result<Vec<Found>, Stop> {
        let mut all: Vec<Found> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        // The next change to take is the last one here.
        let mut open: Vec<Found> = changes.into_iter().rev().collect();
        while let Some((change, nested)) = open.pop() {
            // A service that nests a change set in itself is not followed for ever.
            if let Some(id) = nested.as_ref().filter(|id| seen.insert((*id).clone())) {
                let mut within = change.within.clone();
                within.push(change.logical_id.clone());
                let (_, below) = self.described(None, id, &within, watcher).await?;
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

fn is_unseen(failure: &Failure) -> bool {
    failure.reason == Reason::Refused
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
        // The reason alone says nothing.
        check(ChangeSetStatus::CreateComplete, submitted, false);
        check(ChangeSetStatus::CreateComplete, "No updates are to be performed.", false);
    }
}
