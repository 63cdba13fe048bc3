//! What a deployment came to.

use crate::change_set::ChangeSet;
use crate::cleanup::Cleanup;
use crate::examination::Examination;
use crate::operation::OperationEnd;
use crate::result::DeployResult;

/// What a deployment came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Name of the stack.
    pub stack_name: String,
    /// ARN of the stack, when it is known.
    pub stack_id: Option<String>,
    /// The Region.
    pub region: String,
    /// What came of it, in a word.
    pub result: DeployResult,
    /// The status of the stack at the end.
    pub status: Option<String>,
    /// The change set that was executed, or that can be.
    pub change_set: Option<ChangeSet>,
    /// Whether the change set creates the stack.
    pub is_create: bool,
    /// Whether the operation is one in express mode.
    pub is_express: bool,
    /// Paths of resources that an operation in express mode did not wait for.
    pub stabilizing: Vec<String>,
    /// What early validation and hooks report.
    pub examination: Examination,
    /// Outputs of the stack by name, with their descriptions.
    pub outputs: Vec<(String, String, Option<String>)>,
    /// How the operation ended that failed.
    pub failure: Option<OperationEnd>,
    /// What was done about the failure, with [`OnFailure::Delete`](crate::OnFailure).
    pub cleanup: Option<Cleanup>,
}

impl Outcome {
    /// What a deployment came to that ended before the stack was looked at.
    pub fn new(result: DeployResult, stack_name: &str, region: &str) -> Outcome {
        Outcome { stack_name: stack_name.to_owned(), region: region.to_owned(), result, ..Outcome::default() }
    }
}
