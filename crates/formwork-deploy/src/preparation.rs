//! Prepares a stack for a change (reference/deploy.md#state).

use crate::base::base;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::failure::{DeployFailure, Leftover};
use crate::observer::{DeployObserver, Progress};
use crate::request::DeployRequest;
use crate::sentence;
use crate::service::Service;
use crate::stack_state::{Stack, StackState};
use crate::status;

/// Waits for the end of an operation, and deletes a stack that cannot be updated, as far as the request allows it.
/// Returns the stack that can be updated; `None` when it does not exist.
///
/// # Errors
/// When the stack cannot be changed.
pub(crate) fn prepared(
    service: &mut Service,
    request: &DeployRequest,
    mut state: StackState,
    observer: &mut dyn DeployObserver,
) -> Result<Option<Stack>, Box<DeployFailure>> {
    loop {
        let error = match state {
            StackState::Absent => return Ok(None),
            StackState::Ready(stack) => return Ok(Some(stack)),
            StackState::Dead(stack) if request.replaces_failed => {
                observer.progress(Progress::Replacing(&stack));
                let role = request.role_arn.as_deref();
                let mut operation = match service.delete_stack(&stack.id, &[], role, (false, false), observer) {
                    Ok(operation) => operation,
                    Err(error) => {
                        let leaves =
                            if error.may_be_done() { Leftover::Unknown("the delete") } else { Leftover::Nothing };
                        return Err(DeployFailure::new(error, leaves, base(service, request)));
                    }
                };
                match service.follow(&mut operation, observer) {
                    Ok(end) if end.is_success => return Ok(None),
                    Ok(end) => DeployError::NotDeleted(Box::new(end)),
                    Err(error) => {
                        let leaves = Leftover::Operation("the delete");
                        return Err(DeployFailure::new(error, leaves, base(service, request)));
                    }
                }
            }
            StackState::Busy(stack) if request.waits => {
                observer.progress(Progress::Waiting(&stack));
                match service.wait_until_idle(&stack, observer) {
                    // The stack is no longer busy, and may be dead or stuck.
                    Ok(next) => {
                        state = next;
                        continue;
                    }
                    Err(error) => {
                        let leaves = Leftover::Operation(status::operation(&stack.status));
                        return Err(DeployFailure::new(error, leaves, base(service, request)));
                    }
                }
            }
            StackState::Dead(stack) => DeployError::NotUpdatable(Box::new(stack)),
            StackState::Busy(stack) => DeployError::Busy(Box::new(stack)),
            StackState::Stuck(stack) => DeployError::RollbackFailed(Box::new(stack)),
        };
        return Err(DeployFailure::new(error, Leftover::Nothing, base(service, request)));
    }
}

impl Service {
    /// Returns the stack, after a pause: the operation for which a request was rejected may not be visible immediately.
    pub(crate) fn find_stack_later(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Option<Stack>, DeployError> {
        let pause = self.calls.intervals.events;
        self.runtime.block_on(self.calls.deadline.pause(pause))?;
        self.find_stack(stack, sink)
    }
}

/// `true` if a deployment failed only because another client changed the stack first: it can be repeated.
pub(crate) fn is_lost_race(failure: &DeployFailure) -> bool {
    let leaves_nothing = match &failure.leaves {
        Leftover::Nothing => true,
        Leftover::ChangeSet(deletion) => deletion.failure.is_none(),
        _ => false,
    };
    leaves_nothing && failure.error.sentence().is_some_and(sentence::is_race)
}

#[cfg(test)]
mod tests {
    use formwork_aws::{CallError, CallErrorKind};

    use super::*;
    use crate::change_set::ChangeSetDeletion;
    use crate::outcome::Outcome;

    #[test]
    fn a_lost_race_leaves_nothing() {
        let refusal = |sentence: &str| CallError {
            kind: CallErrorKind::Refused,
            code: None,
            detail: Some(sentence.to_owned()),
            status: None,
        };
        let failure = |sentence: &str, leaves: Leftover| {
            let error = DeployError::Call { call: "CreateChangeSet", source: refusal(sentence) };
            *DeployFailure::new(error, leaves, Outcome::default())
        };
        let busy = "Stack:shop is in UPDATE_IN_PROGRESS state and can not be updated.";
        let deletion = |failure| Leftover::ChangeSet(ChangeSetDeletion { change_set: "arn".to_owned(), failure });
        assert!(is_lost_race(&failure(busy, Leftover::Nothing)));
        assert!(is_lost_race(&failure(busy, deletion(None))));
        assert!(!is_lost_race(&failure(busy, deletion(Some(refusal("no"))))));
        assert!(!is_lost_race(&failure(busy, Leftover::Unknown("the deployment"))));
        assert!(!is_lost_race(&failure("No.", Leftover::Nothing)));
    }
}
