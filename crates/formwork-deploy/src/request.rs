//! What is asked of a deployment.

use crate::cleanup::OnFailure;

/// What is asked of a deployment, whatever the template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeployRequest {
    /// Name of the stack.
    pub stack_name: String,
    /// The role that the service assumes.
    pub role_arn: Option<String>,
    /// Whether a stack that cannot be updated is deleted and created again.
    pub replaces_failed: bool,
    /// Whether an operation that is in progress is waited for.
    pub waits: bool,
    /// Whether the change set creates the stack; by the state of the stack when nobody says.
    pub is_create: Option<bool>,
    /// Who decides whether the change set is executed.
    pub approval: Approval,
    /// Whether a submission that changes nothing is an error: nothing more is done then.
    pub fails_when_empty: bool,
    /// What becomes of the stack when the deployment fails.
    pub on_failure: OnFailure,
    /// Whether Ctrl-C cancels an update, instead of leaving it alone.
    pub cancels_on_interrupt: bool,
}

/// Who decides whether a change set is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Approval {
    /// It is left unexecuted.
    Never,
    /// It is executed.
    Always,
    /// It is executed unless it may lose data: then the observer is asked.
    #[default]
    UnlessDataIsLost,
    /// The observer is asked.
    Ask,
}
