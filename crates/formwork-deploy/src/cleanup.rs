//! The treatment of a stack whose deployment failed.

use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::OperationEnd;
use crate::service::Service;

/// The treatment of a stack whose deployment fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum OnFailure {
    /// Roll back to the previous state.
    #[default]
    #[value(name = "rollback")]
    RollBack,
    /// Keep the resources, for inspection.
    #[value(alias = "do_nothing")]
    DoNothing,
    /// Delete a stack that was being created; roll back an update.
    Delete,
}

/// The cleanup after a failed deployment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Cleanup {
    /// The action of the cleanup.
    pub action: CleanupAction,
    /// The end of the action.
    pub end: Result<OperationEnd, DeployError>,
}

/// An action after a failed deployment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CleanupAction {
    /// The update is rolled back.
    RollBack,
    /// The stack is deleted.
    Delete,
}

impl CleanupAction {
    /// Returns the action of [`OnFailure::Delete`] for a stack in a status.
    pub(crate) fn of(status: &str) -> Option<CleanupAction> {
        match status {
            "UPDATE_FAILED" => Some(CleanupAction::RollBack),
            "CREATE_FAILED" | "ROLLBACK_COMPLETE" | "ROLLBACK_FAILED" => Some(CleanupAction::Delete),
            _ => None,
        }
    }

    pub(crate) fn run(
        self,
        service: &mut Service,
        stack_id: &str,
        role: Option<&str>,
        sink: &mut dyn EventSink,
    ) -> Cleanup {
        let end = match self {
            CleanupAction::RollBack => service.roll_back_stack(stack_id, role, sink),
            CleanupAction::Delete => service
                .delete_stack(stack_id, &[], role, (false, false), sink)
                .and_then(|mut operation| service.follow(&mut operation, sink)),
        };
        Cleanup { action: self, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_are_rolled_back_and_failed_creates_deleted() {
        assert_eq!(CleanupAction::of("UPDATE_FAILED"), Some(CleanupAction::RollBack));
        for status in ["CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"] {
            assert_eq!(CleanupAction::of(status), Some(CleanupAction::Delete), "{status}");
        }
        for status in ["UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "DELETE_COMPLETE"] {
            assert_eq!(CleanupAction::of(status), None, "{status}");
        }
    }
}
