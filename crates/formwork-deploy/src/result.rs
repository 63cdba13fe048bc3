//! The result of a deployment, in a word.

/// The result of a deployment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum DeployResult {
    /// The stack is created or updated.
    Deployed,
    /// The stack is deleted.
    Deleted,
    /// The stack to delete does not exist.
    NoStack,
    /// The operation failed.
    Failed,
    /// The update was cancelled.
    Cancelled,
    /// The stack was up to date.
    NoChanges,
    /// The change set exists and is not executed.
    NotExecuted,
    /// CloudFormation, or the state of the stack, rejects the request.
    #[default]
    Refused,
    /// CloudFormation did not answer.
    Unanswered,
    /// The run was interrupted.
    Interrupted,
    /// The time limit is reached.
    TimedOut,
    /// The template or its values have errors: nothing was sent.
    Invalid,
    /// An artifact of the template could not be packaged or uploaded.
    NotPackaged,
}

impl DeployResult {
    /// Returns the word for programs.
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
