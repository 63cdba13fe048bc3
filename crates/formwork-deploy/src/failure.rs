//! Deployments that ended early, with the state that they leave behind.

use crate::change_set::ChangeSetDeletion;
use crate::error::DeployError;
use crate::outcome::Outcome;

/// A deployment that ended early: the error, the state that it leaves behind, and the outcome until then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the deployment of {name} ended early", name = .outcome.stack_name)]
#[non_exhaustive]
pub struct DeployFailure {
    /// The error that ended the deployment.
    #[source]
    pub error: DeployError,
    /// State that is left in the account.
    pub leaves: Leftover,
    /// The outcome until then.
    pub outcome: Outcome,
}

impl DeployFailure {
    pub(crate) fn new(error: DeployError, leaves: Leftover, outcome: Outcome) -> Box<DeployFailure> {
        let outcome = Outcome { result: error.result(), ..outcome };
        Box::new(DeployFailure { error, leaves, outcome })
    }
}

/// State that an ended run leaves in the account.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Leftover {
    /// Nothing that did not exist before.
    Nothing,
    /// An operation in progress, such as `the delete`.
    Operation(&'static str),
    /// A change set that was to be deleted, and the result of that.
    ChangeSet(ChangeSetDeletion),
    /// A change set that can still be executed, by its ARN.
    Unexecuted(String),
    /// An operation that may have begun, such as `the deployment`.
    Unknown(&'static str),
    /// Buckets whose objects were deleted, by name, with their number; their stack was not deleted.
    EmptiedBuckets(Vec<(String, u64)>),
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use formwork_aws::{CallError, CallErrorKind};

    use super::*;
    use crate::result::DeployResult;

    #[test]
    fn a_failure_keeps_the_failed_call_as_its_source() {
        let source = CallError { kind: CallErrorKind::Denied, code: None, detail: Some("no".to_owned()), status: None };
        let error = DeployError::Call { call: "CreateChangeSet", source: source.clone() };
        let failure = DeployFailure::new(
            error,
            Leftover::Nothing,
            Outcome { stack_name: "shop".to_owned(), ..Outcome::default() },
        );
        assert_eq!(failure.outcome.result, DeployResult::Refused);
        assert_eq!(failure.to_string(), "the deployment of shop ended early");
        let call = failure.source().expect("a call");
        assert_eq!(call.to_string(), "CreateChangeSet failed");
        assert_eq!(call.source().and_then(|cause| cause.downcast_ref::<CallError>()), Some(&source));
    }
}
