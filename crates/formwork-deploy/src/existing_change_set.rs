//! Change sets of earlier runs, which can be executed now (reference/deploy.md#execute-later).

use formwork_aws::Element;

use crate::change_set::{Change, ChangeSet};
use crate::operation::EXPRESS;

/// A change set that was created earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ExistingChangeSet {
    /// The change set.
    pub set: ChangeSet,
    /// Name of the stack.
    pub stack_name: String,
    /// `CREATE_COMPLETE`, `FAILED`, or another value of CloudFormation.
    pub status: String,
    /// `AVAILABLE`, `EXECUTE_COMPLETE`, or another value of CloudFormation.
    pub execution_status: String,
    /// Reason for the status.
    pub reason: Option<String>,
    /// Parameters and their values; those of `NoEcho` parameters are `****`.
    pub parameters: Vec<(String, String)>,
    /// Set when it is executed in express mode.
    pub is_express: bool,
    /// Set when it has its own rollback setting: `ExecuteChangeSet` rejects others.
    pub has_rollback: bool,
    /// Set when it disables rollback.
    pub disables_rollback: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Executability {
    Available,
    Done,
    Running,
    Never,
}

impl ExistingChangeSet {
    pub(crate) fn new(first: &Element, id: &str, changes: Vec<Change>) -> ExistingChangeSet {
        let text = |name| first.string_of(name).unwrap_or_default();
        let config = first.child("DeploymentConfig");
        let on_failure = first.text_of("OnStackFailure").filter(|what| !what.is_empty());
        let is_disabled = |config: &Element| config.text_of("DisableRollback") == Some("true");
        ExistingChangeSet {
            set: ChangeSet {
                id: first.string_of("ChangeSetId").unwrap_or_else(|| id.to_owned()),
                name: first.string_of("ChangeSetName").unwrap_or_else(|| id.to_owned()),
                stack_id: text("StackId"),
                changes,
                stack_drift: first.string_of("StackDriftStatus").filter(|status| !status.is_empty()),
                has_values: false,
            },
            stack_name: text("StackName"),
            status: text("Status"),
            execution_status: text("ExecutionStatus"),
            reason: first.string_of("StatusReason").filter(|reason| !reason.is_empty()),
            parameters: first
                .items("Parameters")
                .iter()
                .filter_map(|one| Some((one.string_of("ParameterKey")?, one.string_of("ParameterValue")?)))
                .collect(),
            is_express: config.and_then(|config| config.text_of("Mode")) == Some(EXPRESS),
            has_rollback: config.is_some_and(|config| !config.children.is_empty()) || on_failure.is_some(),
            disables_rollback: config.is_some_and(is_disabled) || on_failure == Some("DO_NOTHING"),
        }
    }

    pub(crate) fn executability(&self) -> Executability {
        match (self.status.as_str(), self.execution_status.as_str()) {
            (_, "EXECUTE_COMPLETE") => Executability::Done,
            (_, "EXECUTE_IN_PROGRESS") => Executability::Running,
            ("CREATE_COMPLETE", "UNAVAILABLE" | "EXECUTE_FAILED" | "OBSOLETE") => Executability::Never,
            // CloudFormation decides whether a change set with an unknown status can be executed.
            ("CREATE_COMPLETE", _) => Executability::Available,
            _ => Executability::Never,
        }
    }
}
