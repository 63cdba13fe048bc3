//! Operations on a stack, and their ends.

use crate::event::Event;
use crate::status;

/// The mode of an operation that ends when the configuration is applied.
pub(crate) const EXPRESS: &str = "EXPRESS";

/// The kind of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperationKind {
    /// The stack is created.
    Create,
    /// The stack is updated.
    Update,
    /// The stack is deleted.
    Delete,
    /// The stack is rolled back.
    RollBack,
    /// An operation that others began.
    Other,
}

/// The end of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OperationEnd {
    /// Status of the stack.
    pub status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// Set when the operation succeeded.
    pub is_success: bool,
    /// The first failure with a reason of its own.
    pub first_failure: Option<Event>,
}

impl OperationKind {
    /// Returns `true` or `false` for a status that ends the operation with or without success. An unknown status ends
    /// nothing.
    pub(crate) fn end(self, status: &str) -> Option<bool> {
        if !status.ends_with("_COMPLETE") && !status.ends_with("_FAILED") {
            return None;
        }
        let is_good = match self {
            OperationKind::Create | OperationKind::Update => status::is_success(status),
            OperationKind::Delete => status == "DELETE_COMPLETE",
            OperationKind::RollBack | OperationKind::Other => !status.ends_with("_FAILED"),
        };
        Some(is_good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_operations() {
        let check = |kind: OperationKind, status, want| assert_eq!(kind.end(status), want, "{kind:?} {status}");
        check(OperationKind::Create, "CREATE_IN_PROGRESS", None);
        check(OperationKind::Create, "CREATE_COMPLETE", Some(true));
        check(OperationKind::Create, "CREATE_PONDERING", None);
        check(OperationKind::Other, "", None);
        for status in ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_COMPLETE"] {
            check(OperationKind::Create, status, Some(false));
        }
        check(OperationKind::Update, "UPDATE_COMPLETE", Some(true));
        check(OperationKind::Update, "IMPORT_COMPLETE", Some(true));
        check(OperationKind::Update, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", None);
        for status in [
            "UPDATE_FAILED",
            "UPDATE_ROLLBACK_COMPLETE",
            "UPDATE_ROLLBACK_FAILED",
            "IMPORT_ROLLBACK_COMPLETE",
            "IMPORT_ROLLBACK_FAILED",
        ] {
            check(OperationKind::Update, status, Some(false));
        }
        check(OperationKind::Delete, "DELETE_COMPLETE", Some(true));
        check(OperationKind::Delete, "DELETE_FAILED", Some(false));
        check(OperationKind::RollBack, "UPDATE_ROLLBACK_COMPLETE", Some(true));
        check(OperationKind::RollBack, "UPDATE_ROLLBACK_FAILED", Some(false));
    }
}
