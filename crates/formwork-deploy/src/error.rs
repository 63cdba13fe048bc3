//! Why a deployment, or a step of one, did not come to its end.

use formwork_aws::{CallError, CallErrorKind};

use crate::operation::OperationEnd;
use crate::result::DeployResult;
use crate::stack_state::Stack;

/// Why a deployment, or a step of one, did not come to its end. The first three end any step.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeployError {
    /// By Ctrl-C. What was begun at the service goes on.
    #[error("interrupted")]
    Interrupted,
    /// The time limit is reached. What was begun at the service goes on.
    #[error("the time limit is reached")]
    TimedOut,
    /// A call failed.
    #[error("{call} failed")]
    Call {
        /// The call, such as `CreateChangeSet`.
        call: &'static str,
        /// Why.
        source: CallError,
    },
    /// The stack can only be deleted, and [`DeployRequest::replaces_failed`](crate::DeployRequest) is not set.
    #[error("the stack is in {status} and cannot be updated", status = .0.status)]
    NotUpdatable(Box<Stack>),
    /// Another operation is in progress, and [`DeployRequest::waits`](crate::DeployRequest) is not set.
    #[error("the stack is in {status}: another operation is in progress", status = .0.status)]
    Busy(Box<Stack>),
    /// The rollback of an update failed and has to be continued first.
    #[error("the stack is in {status}: its rollback has to be continued first", status = .0.status)]
    RollbackFailed(Box<Stack>),
    /// The stack could not be deleted.
    #[error("the stack cannot be deleted: it is in {status}", status = .0.status)]
    NotDeleted(Box<OperationEnd>),
    /// CloudFormation could not compute the change set.
    #[error("the change set failed: {reason}")]
    ChangeSetFailed {
        /// The sentence of the service.
        reason: String,
    },
    /// Data may be lost, and nobody is there who could agree to that.
    #[error("data may be lost: {}", .resources.join(", "))]
    DataLoss {
        /// Paths of the resources that would be replaced or deleted.
        resources: Vec<String>,
    },
}

impl DeployError {
    /// The call that failed, and why.
    pub fn call(&self) -> Option<(&'static str, &CallError)> {
        match self {
            DeployError::Call { call, source } => Some((call, source)),
            _ => None,
        }
    }

    /// The sentence of the service that ended the step.
    pub fn sentence(&self) -> Option<&str> {
        match self {
            DeployError::Call { source, .. } => source.sentence(),
            DeployError::ChangeSetFailed { reason } => Some(reason),
            _ => None,
        }
    }

    /// What a deployment came to that ended like this.
    pub fn result(&self) -> DeployResult {
        match self {
            DeployError::Interrupted => DeployResult::Interrupted,
            DeployError::TimedOut => DeployResult::TimedOut,
            DeployError::Call { source, .. } => match source.kind {
                CallErrorKind::Refused | CallErrorKind::Denied | CallErrorKind::Credentials => DeployResult::Refused,
                _ => DeployResult::Unanswered,
            },
            DeployError::DataLoss { .. } => DeployResult::NotExecuted,
            DeployError::NotUpdatable(_)
            | DeployError::Busy(_)
            | DeployError::RollbackFailed(_)
            | DeployError::NotDeleted(_)
            | DeployError::ChangeSetFailed { .. } => DeployResult::Refused,
        }
    }

    /// Whether the service may have done what it did not answer.
    pub(crate) fn may_be_done(&self) -> bool {
        self.call().is_some_and(|(_, failure)| {
            matches!(
                failure.kind,
                CallErrorKind::TimedOut
                    | CallErrorKind::Unreachable
                    | CallErrorKind::Malformed
                    | CallErrorKind::Endless
            )
        })
    }
}
