//! What came of a deployment, in a word.

/// What came of a deployment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum DeployResult {
    /// The stack is created or updated.
    Deployed,
    /// The stack is deleted.
    Deleted,
    /// There is no stack that could be deleted.
    NoStack,
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
            DeployResult::Deleted => "deleted",
            DeployResult::NoStack => "no-stack",
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
