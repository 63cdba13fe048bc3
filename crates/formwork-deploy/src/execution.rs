//! Executes an existing change set (reference/deploy.md#execute-later).

use crate::base::base;
use crate::cleanup::OnFailure;
use crate::deployment::{ReadyDeployment, Reviewed};
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::existing_change_set::{Executability, ExistingChangeSet};
use crate::failure::{DeployFailure, Leftover};
use crate::observer::{DeployObserver, Progress};
use crate::outcome::Outcome;
use crate::request::DeployRequest;
use crate::result::DeployResult;
use crate::service::Service;
use crate::stack_state::{Stack, StackState};
use crate::status;
use crate::steps::examine::Examined;

/// An existing change set, before its execution. The next step is [`Execution::run`].
#[derive(Debug)]
pub struct Execution<'s> {
    service: &'s mut Service,
    request: DeployRequest,
    existing: ExistingChangeSet,
}

impl<'s> Execution<'s> {
    /// Describes a change set, by ARN, or by its name and that of the stack of the request; waits while it is being
    /// created.
    ///
    /// # Errors
    /// When the change set does not exist, or cannot be described.
    pub fn begin(
        service: &'s mut Service,
        request: DeployRequest,
        change_set: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Execution<'s>, Box<DeployFailure>> {
        let stack = Some(request.stack_name.as_str()).filter(|name| !name.is_empty());
        match service.describe_existing(stack, change_set, sink) {
            Ok(existing) => {
                let stack_name = if existing.stack_name.is_empty() {
                    request.stack_name.clone()
                } else {
                    existing.stack_name.clone()
                };
                let request = DeployRequest { stack_name, is_express: existing.is_express, ..request };
                Ok(Execution { service, request, existing })
            }
            Err(error) => Err(DeployFailure::new(error, Leftover::Nothing, base(service, &request))),
        }
    }

    /// Returns the change set.
    pub fn change_set(&self) -> &ExistingChangeSet {
        &self.existing
    }

    /// Shows the change set, executes it when that is approved, and follows it to its end. It is never deleted.
    ///
    /// # Errors
    /// When it cannot be executed, or the deployment is not followed to its end.
    pub fn run(self, observer: &mut dyn DeployObserver) -> Result<Outcome, Box<DeployFailure>> {
        let Execution { service, request, existing } = self;
        let ExistingChangeSet { is_express, has_rollback, disables_rollback, .. } = existing;
        let stack_id = Some(existing.set.stack_id.clone()).filter(|id| !id.is_empty());
        let outcome = Outcome { stack_id, is_express, ..base(service, &request) };
        match existing.executability() {
            Executability::Available => {
                let is_asked = request.on_failure == OnFailure::DoNothing;
                let how = Reviewed {
                    is_create: false,
                    is_own: false,
                    is_validated: true,
                    disables_rollback: if has_rollback { disables_rollback } else { is_asked },
                    sends_rollback: is_asked && !has_rollback,
                };
                ReadyDeployment { service, request, stack: None, exists: true }.review(
                    existing.set,
                    how,
                    outcome,
                    observer,
                )
            }
            Executability::Done => {
                observer.progress(Progress::AlreadyExecuted(&existing.set));
                Ok(Outcome { result: DeployResult::NoChanges, change_set: Some(existing.set), ..outcome })
            }
            Executability::Running if request.waits => followed(service, &request, existing, outcome, observer),
            Executability::Running => {
                let error = DeployError::NotExecutable(Box::new(existing));
                Err(DeployFailure::new(error, Leftover::Operation("the deployment"), outcome))
            }
            Executability::Never => {
                let failure = Some(existing.reason.as_deref().unwrap_or_default());
                let failure = failure.filter(|_| existing.status == "FAILED");
                let set = &existing.set;
                let asked = Examined { id: &set.id, failure, changes: &set.changes, is_validated: false };
                // An outdated change set was validated, and is not executed for another reason.
                let examination =
                    if failure.is_some() { service.examine(asked, observer) } else { Ok(Examination::default()) };
                let examination = match examination {
                    Ok(examination) => examination,
                    Err(error) => return Err(DeployFailure::new(error, Leftover::Nothing, outcome)),
                };
                observer.progress(Progress::Examined(&examination));
                let outcome = Outcome { examination, change_set: Some(set.clone()), ..outcome };
                Err(DeployFailure::new(DeployError::NotExecutable(Box::new(existing)), Leftover::Nothing, outcome))
            }
        }
    }
}

/// Follows a change set that another client executes.
fn followed(
    service: &mut Service,
    request: &DeployRequest,
    existing: ExistingChangeSet,
    outcome: Outcome,
    observer: &mut dyn DeployObserver,
) -> Result<Outcome, Box<DeployFailure>> {
    observer.progress(Progress::Executing);
    let stack = Stack { id: existing.set.stack_id.clone(), ..Stack::default() };
    let outcome = Outcome { change_set: Some(existing.set), ..outcome };
    let stack = match service.wait_until_idle(&stack, observer) {
        Ok(StackState::Ready(stack) | StackState::Dead(stack) | StackState::Stuck(stack) | StackState::Busy(stack)) => {
            stack
        }
        Ok(StackState::Absent) => Stack { status: "DELETE_COMPLETE".to_owned(), ..stack },
        Err(error) => return Err(DeployFailure::new(error, Leftover::Operation("the deployment"), outcome)),
    };
    let outcome = Outcome { status: Some(stack.status.clone()), ..outcome };
    if status::is_success(&stack.status) {
        observer.progress(Progress::Deployed);
        let outputs =
            ReadyDeployment { service, request: request.clone(), stack: None, exists: true }.outputs(observer);
        return Ok(Outcome { result: DeployResult::Deployed, outputs, ..outcome });
    }
    let end = crate::operation::OperationEnd {
        status: stack.status,
        reason: stack.reason,
        is_success: false,
        first_failure: None,
    };
    Ok(Outcome { result: DeployResult::Failed, failure: Some(end), ..outcome })
}
