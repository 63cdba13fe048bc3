//! The state of a stack, and what can be done with it.

use crate::status;

/// A stack that exists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Stack {
    /// Its ARN.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: String,
    /// Why it has that status.
    pub reason: Option<String>,
    /// When it was created, as the service writes it.
    pub created: Option<String>,
    /// When it was last updated.
    pub updated: Option<String>,
    /// Its parameters and their values; those of `NoEcho` parameters are `****`.
    pub parameters: Vec<(String, String)>,
    /// Its outputs, and what they are.
    pub outputs: Vec<(String, String, Option<String>)>,
    /// Names of its exports.
    pub exports: Vec<String>,
    /// Whether its termination protection is enabled.
    pub is_protected: bool,
    /// The role that CloudFormation assumes for it.
    pub role: Option<String>,
    /// Whether its last operation was one in express mode.
    pub is_express: bool,
}

/// What can be done with a stack (reference/deploy.md#state).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StackState {
    /// It does not exist, or only waits for its first change set: it is created.
    Absent,
    /// It can be updated.
    Ready(Stack),
    /// It has to be deleted before it can be created again.
    Dead(Stack),
    /// An operation goes on.
    Busy(Stack),
    /// The rollback of an update failed: it has to be continued first.
    Stuck(Stack),
}

impl StackState {
    /// By the stack's status.
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
