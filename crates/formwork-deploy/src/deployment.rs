//! A deployment, from the state of the stack to its outputs.

use formwork::DeclaredParameter;

use crate::base::base;
use crate::change_set::{ChangeSet, Replacement};
use crate::cleanup::{CleanupAction, OnFailure};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::failure::{DeployFailure, Leftover};
use crate::observer::{Answer, DeployObserver, Progress, Question};
use crate::operation::OperationEnd;
use crate::outcome::Outcome;
use crate::preparation::{is_lost_race, prepared};
use crate::previous_values::PreviousValues;
use crate::request::{Decision, DeployRequest};
use crate::result::DeployResult;
use crate::service::Service;
use crate::stack_state::{Stack, StackState};
use crate::steps::create_change_set::{ChangeSetNotCreated, CreatedChangeSet};
use crate::steps::examine::Examined;
use crate::steps::follow::Operation;
use crate::steps::resource_identifiers::ResourceIdentifiers;
use crate::submission::{ChangeSetRequest, Submission, TemplateSource};

/// A deployment whose stack was described. The next step is [`Deployment::prepare`].
#[derive(Debug)]
pub struct Deployment<'s> {
    service: &'s mut Service,
    request: DeployRequest,
    state: StackState,
    /// Set when the stack exists, even if it only waits for its first change set.
    exists: bool,
}

/// A deployment whose stack can be created or updated: it only needs a [`Submission`].
#[derive(Debug)]
pub struct ReadyDeployment<'s> {
    pub(crate) service: &'s mut Service,
    pub(crate) request: DeployRequest,
    pub(crate) stack: Option<Stack>,
    /// Set when the stack exists, even if it only waits for its first change set.
    pub(crate) exists: bool,
}

const LOST_RACES: usize = 5;

impl<'s> Deployment<'s> {
    /// Describes the stack.
    ///
    /// # Errors
    /// When the stack cannot be described.
    pub fn begin(
        service: &'s mut Service,
        request: DeployRequest,
        sink: &mut dyn EventSink,
    ) -> Result<Deployment<'s>, Box<DeployFailure>> {
        match service.find_stack(&request.stack_name, sink) {
            Ok(stack) => {
                let exists = stack.is_some();
                Ok(Deployment { service, request, state: StackState::of(stack), exists })
            }
            Err(error) => Err(DeployFailure::new(error, Leftover::Nothing, base(service, &request))),
        }
    }

    /// Returns the state of the stack.
    pub fn state(&self) -> &StackState {
        &self.state
    }

    /// Prepares the stack for a change, as far as the request allows it: waits for the end of an operation, deletes a
    /// stack that cannot be updated (reference/deploy.md#state).
    ///
    /// # Errors
    /// When the stack cannot be changed.
    pub fn prepare(self, observer: &mut dyn DeployObserver) -> Result<ReadyDeployment<'s>, Box<DeployFailure>> {
        let Deployment { service, request, state, exists } = self;
        let stack = prepared(service, &request, state, observer)?;
        Ok(ReadyDeployment { service, request, stack, exists })
    }
}

impl ReadyDeployment<'_> {
    /// Returns the stack, if it exists.
    pub fn stack(&self) -> Option<&Stack> {
        self.stack.as_ref()
    }

    /// Runs `work` on a thread of its own, such as waiting for an answer of a person: Ctrl-C and the time limit end the
    /// wait.
    ///
    /// # Errors
    /// When the wait was ended; the work is left alone then.
    pub fn alongside<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Box<DeployFailure>> {
        let ended = self.service.alongside(work);
        ended.map_err(|error| DeployFailure::new(error, Leftover::Nothing, base(self.service, &self.request)))
    }

    /// Returns the values that the stack keeps of the parameters that a template declares.
    ///
    /// # Errors
    /// When the parameters of the stack cannot be read.
    pub fn previous_values(
        &mut self,
        declared: &[DeclaredParameter],
        sink: &mut dyn EventSink,
    ) -> Result<PreviousValues, Box<DeployFailure>> {
        let is_open = declared.iter().any(|parameter| parameter.given.is_none());
        let Some(stack) = self.stack.as_ref().filter(|_| is_open) else { return Ok(PreviousValues::default()) };
        match self.service.known_parameters(&self.request.stack_name, sink) {
            Ok(names) => Ok(PreviousValues::of(declared, names, stack)),
            Err(error) => Err(DeployFailure::new(error, Leftover::Nothing, base(self.service, &self.request))),
        }
    }

    /// Returns the properties that identify the resources of a template; empty when they are not known, which is not an
    /// error.
    pub fn resource_identifiers(&mut self, template: &TemplateSource) -> Vec<ResourceIdentifiers> {
        self.service.resource_identifiers(template).unwrap_or_default()
    }

    /// Creates a change set, executes it when that is approved, and follows it to its end.
    ///
    /// # Errors
    /// When no change set can be executed, or the deployment is not followed to its end. A deployment that was followed
    /// and failed is an [`Outcome`] with [`DeployResult::Failed`].
    pub fn run(
        &mut self,
        submission: &Submission,
        observer: &mut dyn DeployObserver,
    ) -> Result<Outcome, Box<DeployFailure>> {
        let submitted = self.submit_first(submission, observer);
        if self.request.only_validates {
            if !self.exists {
                self.remove_empty_stack(observer);
            }
            return submitted;
        }
        let outcome = submitted?;
        let is_done = match outcome.result {
            DeployResult::Deployed => true,
            DeployResult::NoChanges => !self.request.fails_when_empty,
            _ => false,
        };
        if let Some(policy) = submission.policy.as_deref().filter(|_| is_done)
            && let Err(error) = self.service.set_stack_policy(&self.request.stack_name, policy, observer)
        {
            observer.progress(Progress::PolicyNotSet(&error));
        }
        Ok(outcome)
    }

    /// Submits again after the end of another operation, when that changed the stack first and this run waits for
    /// others.
    fn submit_first(
        &mut self,
        submission: &Submission,
        observer: &mut dyn DeployObserver,
    ) -> Result<Outcome, Box<DeployFailure>> {
        let mut left = LOST_RACES;
        loop {
            match self.submit(submission, observer) {
                Err(failure) if self.request.waits && left > 0 && is_lost_race(&failure) => left -= 1,
                submitted => return submitted,
            }
            let found = self.service.find_stack_later(&self.request.stack_name, observer);
            let found = found
                .map_err(|error| DeployFailure::new(error, Leftover::Nothing, base(self.service, &self.request)))?;
            self.exists = found.is_some();
            self.stack = prepared(self.service, &self.request, StackState::of(found), observer)?;
        }
    }

    fn submit(
        &mut self,
        submission: &Submission,
        observer: &mut dyn DeployObserver,
    ) -> Result<Outcome, Box<DeployFailure>> {
        let DeployRequest { stack_name, role_arn, .. } = &self.request;
        let is_create = self.request.is_create.unwrap_or(self.stack.is_none());
        let disables_rollback = self.request.on_failure == OnFailure::DoNothing;
        let express = self.request.is_express.then_some(disables_rollback);
        let reverts_drift = submission.reverts_drift && self.stack.is_some();
        if submission.reverts_drift && !reverts_drift {
            observer.progress(Progress::NothingDrifted);
        }
        let role_arn = role_arn.as_deref();
        let request = ChangeSetRequest { stack_name, is_create, role_arn, express, reverts_drift, submission };
        let stack_id = self.stack.as_ref().map(|stack| stack.id.clone());
        let outcome = Outcome {
            stack_id,
            is_create,
            only_validates: self.request.only_validates,
            is_express: express.is_some(),
            ..base(self.service, &self.request)
        };
        observer.progress(Progress::CreatingChangeSet);
        match self.service.create_change_set(request, observer) {
            Err(ChangeSetNotCreated { error, change_set }) => {
                let leaves = self.discard(change_set.as_deref(), observer);
                Err(DeployFailure::new(error, leaves, outcome))
            }
            Ok(CreatedChangeSet::Failed { id, reason, changes }) => {
                let set = Examined { id: &id, failure: Some(&reason), changes: &changes, is_validated: true };
                let examined = self.service.examine(set, observer);
                if let Ok(examination) = &examined {
                    observer.progress(Progress::Examined(examination));
                }
                let leaves = self.discard(Some(&id), observer);
                let examination = match examined {
                    Ok(examination) => examination,
                    Err(error) => return Err(DeployFailure::new(error, leaves, outcome)),
                };
                let outcome = Outcome { examination, ..outcome };
                Err(DeployFailure::new(DeployError::ChangeSetFailed { reason }, leaves, outcome))
            }
            Ok(CreatedChangeSet::Empty { id, stack_id }) => {
                // A change set that cannot be deleted is harmless.
                let _ = self.discard(id.as_deref(), observer);
                observer.progress(Progress::NoChanges);
                Ok(Outcome {
                    stack_id: stack_id.or(outcome.stack_id),
                    result: DeployResult::NoChanges,
                    status: self.stack.as_ref().map(|stack| stack.status.clone()),
                    outputs: if self.stack.is_some() { self.outputs(observer) } else { Vec::new() },
                    ..base(self.service, &self.request)
                })
            }
            Ok(CreatedChangeSet::Ready(set)) => {
                let outcome = Outcome { stack_id: Some(set.stack_id.clone()), ..outcome };
                let is_validated = !submission.disables_validation;
                let sends_rollback = disables_rollback && !self.request.is_express;
                let how = Reviewed { is_create, is_own: true, is_validated, disables_rollback, sends_rollback };
                self.review(set, how, outcome, observer)
            }
        }
    }

    /// Shows a change set with the results of early validation and hooks, and executes it when that is approved.
    pub(crate) fn review(
        &mut self,
        set: ChangeSet,
        how: Reviewed,
        outcome: Outcome,
        observer: &mut dyn DeployObserver,
    ) -> Result<Outcome, Box<DeployFailure>> {
        let asked = Examined { id: &set.id, failure: None, changes: &set.changes, is_validated: how.is_validated };
        let examination = match self.service.examine(asked, observer) {
            Ok(examination) => examination,
            Err(error) => {
                let leaves = self.left(&set.id, how, observer);
                return Err(DeployFailure::new(error, leaves, outcome));
            }
        };
        observer.progress(Progress::ChangeSetCreated(&set));
        observer.progress(Progress::Examined(&examination));
        if how.is_own && set.may_rename() {
            self.look_for_renames(&set.stack_id, observer);
        }
        let is_rejected = examination.has_errors() || self.request.is_strict && examination.warnings() > 0;
        let outcome = Outcome { examination, ..outcome };
        let replaced = if how.disables_rollback { set.replaced() } else { Vec::new() };
        if !replaced.is_empty() {
            observer.progress(Progress::Replaces(&replaced));
        }
        let is_certain = replaced.iter().any(|change| change.replacement == Replacement::Yes);
        let error = match (is_rejected, is_certain) {
            (true, _) => Some(DeployError::Rejected),
            (false, true) => Some(DeployError::ReplacementWithoutRollback),
            (false, false) => None,
        };
        if let Some(error) = error {
            let leaves = self.left(&set.id, how, observer);
            return Err(DeployFailure::new(error, leaves, Outcome { change_set: Some(set), ..outcome }));
        }
        if self.request.only_validates {
            let _ = self.left(&set.id, how, observer);
            return Ok(Outcome { result: DeployResult::NotExecuted, change_set: Some(set), ..outcome });
        }
        match self.is_approved(&set, observer) {
            Ok(true) => self.execute(set, how, outcome, observer),
            Ok(false) => {
                observer.progress(Progress::LeftUnexecuted(&set));
                Ok(Outcome { result: DeployResult::NotExecuted, change_set: Some(set), ..outcome })
            }
            Err(error) => {
                let leaves = Leftover::Unexecuted(set.id.clone());
                Err(DeployFailure::new(error, leaves, Outcome { change_set: Some(set), ..outcome }))
            }
        }
    }

    /// Shows the deployed template when resources may only be renamed. Nothing depends on it.
    fn look_for_renames(&mut self, stack_id: &str, observer: &mut dyn DeployObserver) {
        if let Some(template) = self.service.processed_template(stack_id) {
            observer.progress(Progress::MayBeRenamed(&template));
        }
    }

    fn remove_empty_stack(&mut self, observer: &mut dyn DeployObserver) {
        let role = self.request.role_arn.as_deref();
        let removed = match self.service.find_stack(&self.request.stack_name, observer) {
            Ok(Some(stack)) if stack.status == "REVIEW_IN_PROGRESS" => {
                self.service.delete_stack(&stack.id, &[], role, (false, false), observer).map(|_| ())
            }
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = removed {
            observer.progress(Progress::EmptyStackLeft(&error));
        }
    }

    /// Deletes an unexecuted change set of this run; others are left.
    fn left(&mut self, id: &str, how: Reviewed, sink: &mut dyn EventSink) -> Leftover {
        if how.is_own { self.discard(Some(id), sink) } else { Leftover::Unexecuted(id.to_owned()) }
    }

    fn is_approved(&mut self, set: &ChangeSet, observer: &mut dyn DeployObserver) -> Result<bool, DeployError> {
        let question = match self.request.approval.decide(set) {
            Decision::Execute => return Ok(true),
            Decision::Leave => return Ok(false),
            Decision::Ask(question) => question,
        };
        let lost: Vec<String> = match &question {
            Question::LoseData(_, lost) => lost.iter().map(|change| change.path()).collect(),
            Question::Execute(_) | Question::Delete(_) => Vec::new(),
        };
        match observer.ask(question) {
            Answer::Yes => Ok(true),
            Answer::No => Ok(false),
            Answer::Unattended if !lost.is_empty() => Err(DeployError::DataLoss { resources: lost }),
            Answer::Unattended => Ok(false),
            // A thread that ended without an answer does not count as a yes.
            Answer::Pending(answer) => Ok(self.service.alongside(answer)?.unwrap_or(false)),
        }
    }

    fn execute(
        &mut self,
        set: ChangeSet,
        how: Reviewed,
        outcome: Outcome,
        observer: &mut dyn DeployObserver,
    ) -> Result<Outcome, Box<DeployFailure>> {
        let Reviewed { is_create, sends_rollback, .. } = how;
        let how_executed = (sends_rollback, self.request.retains_except_on_create);
        let mut operation = match self.service.execute_change_set(&set, is_create, how_executed, observer) {
            Ok(operation) => operation,
            Err(error) => {
                let leaves = match self.left(&set.id, how, observer) {
                    // A change set that could be deleted was not executed.
                    Leftover::ChangeSet(deletion) if !error.may_be_done() || deletion.failure.is_none() => {
                        Leftover::ChangeSet(deletion)
                    }
                    _ if error.may_be_done() => Leftover::Unknown("the deployment"),
                    leaves => leaves,
                };
                return Err(DeployFailure::new(error, leaves, outcome));
            }
        };
        observer.progress(Progress::Executing);
        let (end, is_cancelled) = self.follow(&mut operation, is_create, observer);
        let outcome = Outcome { change_set: Some(set), ..outcome };
        let end = match end {
            Ok(end) => end,
            Err(error) => return Err(DeployFailure::new(error, Leftover::Operation("the deployment"), outcome)),
        };
        let mut outcome = Outcome { status: Some(end.status.clone()), ..outcome };
        // An unknown result of the checks does not change how the operation ended.
        if let Ok(examination) = self.service.examine_operation(&operation, !end.is_success, observer) {
            observer.progress(Progress::Examined(&examination));
            outcome.examination.append(examination);
        }
        if self.request.is_express {
            outcome.stabilizing = operation.stabilizing();
        }
        if end.is_success {
            observer.progress(Progress::Deployed);
            return Ok(Outcome { result: DeployResult::Deployed, outputs: self.outputs(observer), ..outcome });
        }
        if is_cancelled {
            return Ok(Outcome { result: DeployResult::Cancelled, ..outcome });
        }
        let action = CleanupAction::of(&end.status).filter(|_| self.request.on_failure == OnFailure::Delete);
        let role = self.request.role_arn.as_deref();
        let cleanup = action.map(|action| action.run(self.service, &operation.stack_id, role, observer));
        // The current status of the stack is the end of the cleanup; `failure` has that of the deployment.
        let status = cleanup.as_ref().and_then(|cleanup| Some(cleanup.end.as_ref().ok()?.status.clone()));
        let status = status.or(outcome.status);
        Ok(Outcome { result: DeployResult::Failed, status, failure: Some(end), cleanup, ..outcome })
    }

    /// Follows an operation to its end, or cancels it at Ctrl-C when requested and possible.
    fn follow(
        &mut self,
        operation: &mut Operation,
        is_create: bool,
        observer: &mut dyn DeployObserver,
    ) -> (Result<OperationEnd, DeployError>, bool) {
        let end = self.service.follow(operation, observer);
        let is_cancelled = end == Err(DeployError::Interrupted) && self.request.cancels_on_interrupt;
        if !is_cancelled {
            return (end, false);
        }
        if is_create {
            observer.progress(Progress::NotCancellable);
            return (end, true);
        }
        observer.progress(Progress::Cancelling);
        let cancelled = self.service.cancel_update(&operation.stack_id, observer);
        (cancelled.and_then(|()| self.service.follow(operation, observer)), true)
    }

    /// Returns the outputs of the stack. The deployment is done: failing to read them is not an error.
    pub(crate) fn outputs(&mut self, observer: &mut dyn DeployObserver) -> Vec<(String, String, Option<String>)> {
        self.service.stack_outputs(&self.request.stack_name, observer).unwrap_or_else(|error| {
            observer.progress(Progress::OutputsUnknown(&error));
            Vec::new()
        })
    }

    fn discard(&mut self, change_set: Option<&str>, sink: &mut dyn EventSink) -> Leftover {
        let stack = &self.request.stack_name;
        let deletion = change_set.and_then(|change_set| self.service.delete_change_set(stack, change_set, sink));
        deletion.map_or(Leftover::Nothing, Leftover::ChangeSet)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Reviewed {
    pub(crate) is_create: bool,
    pub(crate) is_own: bool,
    pub(crate) is_validated: bool,
    pub(crate) disables_rollback: bool,
    /// Sends the rollback setting with the execution: a change set with a setting of its own rejects it.
    pub(crate) sends_rollback: bool,
}
