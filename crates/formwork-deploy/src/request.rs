//! What is asked of a deployment.

use crate::change_set::ChangeSet;
use crate::cleanup::OnFailure;
use crate::observer::Question;

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
    /// Whether the change set creates the stack; decided by the state of the stack when this is not set.
    pub is_create: Option<bool>,
    /// Who decides whether the change set is executed.
    pub approval: Approval,
    /// Whether a submission that changes nothing is an error: nothing more is done then.
    pub fails_when_empty: bool,
    /// What becomes of the stack when the deployment fails.
    pub on_failure: OnFailure,
    /// Whether the change set is only made for what early validation and hooks report, and deleted in any case, with the
    /// empty stack that it creates.
    pub only_validates: bool,
    /// Whether the operation ends when the configuration is applied, and resources stabilize behind it.
    pub is_express: bool,
    /// Whether resources that a failed operation created are deleted, whatever their `DeletionPolicy`.
    pub retains_except_on_create: bool,
    /// Whether warnings of early validation and hooks keep a change set from being executed.
    pub is_strict: bool,
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

/// What an [`Approval`] decides about a change set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Decision<'a> {
    Execute,
    Leave,
    Ask(Question<'a>),
}

impl Approval {
    /// Whether a change set is executed, or the question that has to be asked first.
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
