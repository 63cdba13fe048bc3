//! The settings of a deployment.

use crate::change_set::ChangeSet;
use crate::cleanup::OnFailure;
use crate::observer::Question;

/// The settings of a deployment that do not depend on the template.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeployRequest {
    /// Name of the stack.
    pub stack_name: String,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// Deletes and re-creates a stack that cannot be updated.
    pub replaces_failed: bool,
    /// Waits for an operation in progress.
    pub waits: bool,
    /// Creates or updates the stack; `None` leaves that to the state of the stack.
    pub is_create: Option<bool>,
    /// Approval of the execution.
    pub approval: Approval,
    /// Fails when nothing changes: the run ends then.
    pub fails_when_empty: bool,
    /// The treatment of the stack when the deployment fails.
    pub on_failure: OnFailure,
    /// Creates the change set only for the results of early validation and hooks, and deletes it in any case, with the
    /// empty stack that it creates.
    pub only_validates: bool,
    /// Ends the operation when the configuration is applied; resources stabilize later (express mode).
    pub is_express: bool,
    /// Deletes resources that a failed operation created, whatever their `DeletionPolicy`.
    pub retains_except_on_create: bool,
    /// Rejects a change set with warnings of early validation and hooks.
    pub is_strict: bool,
    /// Cancels an update on Ctrl-C, instead of leaving it alone.
    pub cancels_on_interrupt: bool,
}

/// The approval of the execution of a change set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Approval {
    /// Leave it unexecuted.
    Never,
    /// Execute it.
    Always,
    /// Execute it unless it may lose data: then the observer is asked.
    #[default]
    UnlessDataIsLost,
    /// Ask the observer.
    Ask,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision<'a> {
    Execute,
    Leave,
    Ask(Question<'a>),
}

impl Approval {
    pub(crate) fn decide(self, set: &ChangeSet) -> Decision<'_> {
        let lost = set.data_loss();
        match self {
            Approval::Never => Decision::Leave,
            Approval::Always => Decision::Execute,
            _ if !lost.is_empty() => Decision::Ask(Question::LoseData(set, lost)),
            Approval::UnlessDataIsLost => Decision::Execute,
            Approval::Ask => Decision::Ask(Question::Execute(set)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change_set::{Action, Change, Replacement};

    #[test]
    fn data_is_lost_only_when_somebody_agrees() {
        let change = |kind: &str| Change {
            within: Vec::new(),
            action: Action::Remove,
            logical_id: "A".to_owned(),
            kind: kind.to_owned(),
            replacement: Replacement::No,
            changed: Vec::new(),
            is_retained: false,
            physical_id: None,
            change_set: None,
            drift: None,
            ignored_drift: Vec::new(),
            properties: Vec::new(),
        };
        let set = |kinds: &[&str]| ChangeSet {
            id: "arn".to_owned(),
            name: "a".to_owned(),
            stack_id: "arn:stack".to_owned(),
            changes: kinds.iter().map(|kind| change(kind)).collect(),
            stack_drift: None,
            has_values: false,
        };
        let (harmless, harmful) = (set(&["AWS::SNS::Topic"]), set(&["AWS::SNS::Topic", "AWS::S3::Bucket"]));
        for set in [&harmless, &harmful] {
            assert_eq!(Approval::Never.decide(set), Decision::Leave);
            assert_eq!(Approval::Always.decide(set), Decision::Execute);
        }
        assert_eq!(Approval::UnlessDataIsLost.decide(&harmless), Decision::Execute);
        assert_eq!(Approval::Ask.decide(&harmless), Decision::Ask(Question::Execute(&harmless)));
        for approval in [Approval::UnlessDataIsLost, Approval::Ask] {
            let lost = vec![&harmful.changes[1]];
            assert_eq!(approval.decide(&harmful), Decision::Ask(Question::LoseData(&harmful, lost)));
        }
    }
}
