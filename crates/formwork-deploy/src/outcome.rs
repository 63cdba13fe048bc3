//! The outcome of a deployment.

use crate::change_set::ChangeSet;
use crate::cleanup::Cleanup;
use crate::examination::Examination;
use crate::operation::OperationEnd;
use crate::result::DeployResult;

/// The outcome of a deployment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Name of the stack.
    pub stack_name: String,
    /// ARN of the stack, when it is known.
    pub stack_id: Option<String>,
    /// Region of the stack.
    pub region: String,
    /// The result in a word.
    pub result: DeployResult,
    /// Status of the stack at the end.
    pub status: Option<String>,
    /// The change set that was executed, or that can be.
    pub change_set: Option<ChangeSet>,
    /// Set when the change set creates the stack.
    pub is_create: bool,
    /// Set when the change set is only validated.
    pub only_validates: bool,
    /// Set for an operation in express mode.
    pub is_express: bool,
    /// Paths of resources that an operation in express mode did not wait for.
    pub stabilizing: Vec<String>,
    /// Results of early validation and hooks.
    pub examination: Examination,
    /// Outputs of the stack: name, value, description.
    pub outputs: Vec<(String, String, Option<String>)>,
    /// The end of a failed operation.
    pub failure: Option<OperationEnd>,
    /// The cleanup after a failure, with [`OnFailure::Delete`](crate::OnFailure).
    pub cleanup: Option<Cleanup>,
}

impl Outcome {
    /// Creates the outcome of a deployment that ended before the stack was described.
    pub fn new(result: DeployResult, stack_name: &str, region: &str) -> Outcome {
        Outcome { stack_name: stack_name.to_owned(), region: region.to_owned(), result, ..Outcome::default() }
    }
}
