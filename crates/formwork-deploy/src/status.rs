//! The meaning of stack statuses (reference/deploy.md#status).

/// Returns `true` while an operation has to end before the stack can be changed.
pub fn is_in_progress(status: &str) -> bool {
    status.ends_with("_IN_PROGRESS") && status != "REVIEW_IN_PROGRESS"
}

/// Returns `true` if a create, update or import succeeded.
pub fn is_success(status: &str) -> bool {
    matches!(status, "CREATE_COMPLETE" | "UPDATE_COMPLETE" | "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS" | "IMPORT_COMPLETE")
}

/// Returns `true` if the last operation failed.
pub fn is_failed(status: &str) -> bool {
    status.ends_with("_FAILED") || status.ends_with("ROLLBACK_COMPLETE")
}

/// Returns `true` if the stack can only be deleted: it never worked, or cannot be updated any more.
pub fn is_dead(status: &str) -> bool {
    matches!(status, "ROLLBACK_COMPLETE" | "ROLLBACK_FAILED" | "CREATE_FAILED" | "DELETE_FAILED")
}

/// Returns the operation that a status belongs to, in words.
pub fn operation(status: &str) -> &'static str {
    match status {
        "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS" => "the cleanup after an update",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS" => "the cleanup after the rollback of an update",
        _ if status.starts_with("UPDATE_ROLLBACK") => "the rollback of an update",
        _ if status.starts_with("IMPORT_ROLLBACK") => "the rollback of an import",
        _ if status.starts_with("ROLLBACK") => "a rollback",
        _ if status.starts_with("CREATE") => "a create",
        _ if status.starts_with("UPDATE") => "an update",
        _ if status.starts_with("DELETE") => "a delete",
        _ if status.starts_with("IMPORT") => "an import",
        _ => "an operation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_progress() {
        for status in ["CREATE_IN_PROGRESS", "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "DELETE_IN_PROGRESS"] {
            assert!(is_in_progress(status), "{status}");
        }
        for status in ["REVIEW_IN_PROGRESS", "CREATE_COMPLETE", "UPDATE_ROLLBACK_FAILED"] {
            assert!(!is_in_progress(status), "{status}");
        }
    }

    #[test]
    fn failures() {
        for status in ["CREATE_FAILED", "ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "IMPORT_ROLLBACK_COMPLETE"] {
            assert!(is_failed(status), "{status}");
        }
        assert!(!is_failed("UPDATE_COMPLETE") && !is_failed("REVIEW_IN_PROGRESS"));
    }

    #[test]
    fn operations() {
        assert_eq!(operation("UPDATE_ROLLBACK_IN_PROGRESS"), "the rollback of an update");
        assert_eq!(operation("ROLLBACK_IN_PROGRESS"), "a rollback");
        assert_eq!(operation("UPDATE_IN_PROGRESS"), "an update");
    }
}
