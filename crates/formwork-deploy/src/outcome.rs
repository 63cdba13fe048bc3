//! What a deployment came to.

use crate::change_set::ChangeSet;
use crate::cleanup::Cleanup;
use crate::steps::follow::OperationEnd;

/// What a deployment came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Name of the stack.
    pub stack_name: String,
    /// ARN of the stack, when it is known.
    pub stack_id: Option<String>,
    /// The Region.
    pub region: String,
    /// What came of it, in a word.
    pub result: DeployResult,
    /// The status of the stack at the end.
    pub status: Option<String>,
    /// The change set that was executed, or that can be.
    pub change_set: Option<ChangeSet>,
    /// Outputs of the stack by name, with their descriptions.
    pub outputs: Vec<(String, String, Option<String>)>,
    /// How the operation ended that failed.
    pub failure: Option<OperationEnd>,
    /// What was done about the failure, with [`OnFailure::Delete`](crate::OnFailure).
    pub cleanup: Option<Cleanup>,
}

/// What came of a deployment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum DeployResult {
    /// The stack is created or updated.
    Deployed,
    /// The operation failed.
    Failed,
    /// The update was cancelled.
    Cancelled,
    /// There was nothing to change.
    NoChanges,
    /// The change set is there and is not executed.
    NotExecuted,
    /// The service, or the state of the stack, rejects it.
    #[default]
    Refused,
    /// The service did not answer.
    Unanswered,
    /// Somebody ended the run.
    Interrupted,
    /// The time limit is reached.
    TimedOut,
    /// The template or its values have errors: nothing was sent.
    Invalid,
    /// What the template names could not be packaged or uploaded.
    NotPackaged,
}

impl DeployResult {
    /// The word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            DeployResult::Deployed => "deployed",
            DeployResult::Failed => "failed",
            DeployResult::Cancelled => "cancelled",
            DeployResult::NoChanges => "no-changes",
            DeployResult::NotExecuted => "not-executed",
            DeployResult::Refused => "refused",
            DeployResult::Unanswered => "unanswered",
            DeployResult::Interrupted => "interrupted",
            DeployResult::TimedOut => "timed-out",
            DeployResult::Invalid => "invalid",
            DeployResult::NotPackaged => "not-packaged",
        }
    }
}
