//! The state of a stack, and the operations that it allows.

use crate::status;

/// An existing stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stack {
    /// ARN of the stack.
    pub id: String,
    /// Name of the stack.
    pub name: String,
    /// Status of the stack.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// Time of the creation, as CloudFormation writes it.
    pub created: Option<String>,
    /// Time of the last update.
    pub updated: Option<String>,
    /// Parameters and their values; those of `NoEcho` parameters are `****`.
    pub parameters: Vec<(String, String)>,
    /// Outputs: name, value, description.
    pub outputs: Vec<(String, String, Option<String>)>,
    /// Names of the exports.
    pub exports: Vec<String>,
    /// Set when termination protection is enabled.
    pub is_protected: bool,
    /// The role that CloudFormation assumes.
    pub role: Option<String>,
    /// Set when the last operation used express mode.
    pub is_express: bool,
}

/// The operations that a stack allows (reference/deploy.md#state).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StackState {
    /// The stack does not exist, or only waits for its first change set: it is created.
    Absent,
    /// The stack can be updated.
    Ready(Stack),
    /// The stack has to be deleted before it can be created again.
    Dead(Stack),
    /// An operation is in progress.
    Busy(Stack),
    /// The rollback of an update failed and has to be continued first.
    Stuck(Stack),
}

impl StackState {
    /// Classifies a stack by its status.
    pub fn of(stack: Option<Stack>) -> StackState {
        let Some(stack) = stack else { return StackState::Absent };
        match stack.status.as_str() {
            "REVIEW_IN_PROGRESS" | "DELETE_COMPLETE" => StackState::Absent,
            "UPDATE_ROLLBACK_FAILED" => StackState::Stuck(stack),
            status if status::is_dead(status) => StackState::Dead(stack),
            status if status::is_in_progress(status) => StackState::Busy(stack),
            _ => StackState::Ready(stack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(statuses: &[&str], want: impl Fn(Stack) -> StackState) {
        for status in statuses {
            let stack = Stack { status: (*status).to_owned(), ..Stack::default() };
            assert_eq!(StackState::of(Some(stack.clone())), want(stack), "{status}");
        }
    }

    #[test]
    fn every_status() {
        assert_eq!(StackState::of(None), StackState::Absent);
        check(&["REVIEW_IN_PROGRESS", "DELETE_COMPLETE"], |_| StackState::Absent);
        check(&["ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED"], StackState::Dead);
        check(
            &["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "UPDATE_FAILED", "IMPORT_COMPLETE"],
            StackState::Ready,
        );
        check(
            &[
                "CREATE_IN_PROGRESS",
                "ROLLBACK_IN_PROGRESS",
                "DELETE_IN_PROGRESS",
                "UPDATE_IN_PROGRESS",
                "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
                "UPDATE_ROLLBACK_IN_PROGRESS",
                "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
                "IMPORT_IN_PROGRESS",
                "IMPORT_ROLLBACK_IN_PROGRESS",
            ],
            StackState::Busy,
        );
        check(&["UPDATE_ROLLBACK_FAILED"], StackState::Stuck);
    }
}
