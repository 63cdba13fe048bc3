//! The errors of deployments and their steps.

use formwork_aws::{AwsError, AwsErrorKind, CallError, CallErrorKind};

use crate::existing_change_set::ExistingChangeSet;
use crate::operation::OperationEnd;
use crate::result::DeployResult;
use crate::stack_state::Stack;

/// An error of a deployment, or of a step of one. The first three end any step.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeployError {
    /// Interrupted by Ctrl-C. Operations that were begun at CloudFormation continue.
    #[error("interrupted")]
    Interrupted,
    /// The time limit is reached. Operations that were begun at CloudFormation continue.
    #[error("the time limit is reached")]
    TimedOut,
    /// A call failed.
    #[error("{call} failed")]
    Call {
        /// Name of the call, such as `CreateChangeSet`.
        call: &'static str,
        /// Error of the call.
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
    /// The stack's termination protection is enabled.
    #[error("the stack is protected against deletion")]
    Protected(Box<Stack>),
    /// Resources to retain are not in the stack.
    #[error("the stack has no resource {}", .resources.join(", "))]
    NotInStack {
        /// Logical IDs of the resources.
        resources: Vec<String>,
    },
    /// Resources can be retained only after a deletion that failed.
    #[error("the stack is in {status}: resources can be retained only in DELETE_FAILED", status = .0.status)]
    NotRetainable(Box<Stack>),
    /// A stack can be deleted by force only after a deletion that failed.
    #[error("the stack is in {status}: it can be deleted by force only in DELETE_FAILED", status = .0.status)]
    NotForcible(Box<Stack>),
    /// Other stacks import an export of the stack.
    #[error("export {export} is imported by {}", .stacks.join(", "))]
    ExportInUse {
        /// Name of the export.
        export: String,
        /// Names of the stacks.
        stacks: Vec<String>,
    },
    /// The objects of a bucket could not be deleted.
    #[error("bucket {bucket} could not be emptied")]
    NotEmptied {
        /// Path of the bucket in the stack.
        bucket: String,
        /// Error of the S3 call.
        source: Box<AwsError>,
    },
    /// The deletion needs an approval, and no question can be asked.
    #[error("nobody is there to be asked")]
    Unattended,
    /// CloudFormation could not compute the change set.
    #[error("the change set failed: {reason}")]
    ChangeSetFailed {
        /// The sentence of CloudFormation.
        reason: String,
    },
    /// Early validation or hooks reject a change set that CloudFormation could compute, or warn of it and
    /// [`DeployRequest::is_strict`](crate::DeployRequest) is set.
    #[error("the change set is rejected")]
    Rejected,
    /// The change set replaces resources, and rollback is disabled: CloudFormation would fail there.
    #[error("resources are replaced, and rollback is disabled")]
    ReplacementWithoutRollback,
    /// The change set does not exist.
    #[error("there is no change set {change_set}")]
    NoChangeSet {
        /// Name or ARN of the change set.
        change_set: String,
    },
    /// An existing change set cannot be executed, or is being executed and the request does not wait.
    #[error("the change set is in {}, {}", .0.status, .0.execution_status)]
    NotExecutable(Box<ExistingChangeSet>),
    /// Data may be lost, and no question can be asked.
    #[error("data may be lost: {}", .resources.join(", "))]
    DataLoss {
        /// Paths of the resources that would be replaced or deleted.
        resources: Vec<String>,
    },
}

impl DeployError {
    /// Returns the call that failed, and its error.
    pub fn call(&self) -> Option<(&'static str, &CallError)> {
        match self {
            DeployError::Call { call, source } => Some((call, source)),
            _ => None,
        }
    }

    /// Returns the sentence of CloudFormation that ended the step.
    pub fn sentence(&self) -> Option<&str> {
        match self {
            DeployError::Call { source, .. } => source.sentence(),
            DeployError::ChangeSetFailed { reason } => Some(reason),
            _ => None,
        }
    }

    /// Returns the result of a deployment that ended with this error.
    pub fn result(&self) -> DeployResult {
        match self {
            DeployError::Interrupted => DeployResult::Interrupted,
            DeployError::TimedOut => DeployResult::TimedOut,
            DeployError::Call { source, .. } => match source.kind {
                CallErrorKind::Refused | CallErrorKind::Denied | CallErrorKind::Credentials => DeployResult::Refused,
                _ => DeployResult::Unanswered,
            },
            DeployError::DataLoss { .. } | DeployError::Unattended => DeployResult::NotExecuted,
            DeployError::NotEmptied { source, .. } if source.kind == AwsErrorKind::Failed => DeployResult::Unanswered,
            DeployError::NotUpdatable(_)
            | DeployError::Busy(_)
            | DeployError::RollbackFailed(_)
            | DeployError::NotDeleted(_)
            | DeployError::Protected(_)
            | DeployError::NotInStack { .. }
            | DeployError::NotRetainable(_)
            | DeployError::NotForcible(_)
            | DeployError::ExportInUse { .. }
            | DeployError::NotEmptied { .. }
            | DeployError::ChangeSetFailed { .. }
            | DeployError::Rejected
            | DeployError::NoChangeSet { .. }
            | DeployError::NotExecutable(_)
            | DeployError::ReplacementWithoutRollback => DeployResult::Refused,
        }
    }

    /// `true` if the service may have performed a call that it did not answer.
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
