//! The choices for a refactor.

use formwork_run::{InputChoices, UploadChoices};

/// The choices for a refactor.
#[derive(Clone, Debug)]
pub struct RefactorChoices {
    /// Inputs of the compilation.
    pub inputs: InputChoices,
    /// Destination of templates that are too large for a request.
    pub upload: UploadChoices,
    /// Treats warnings as errors.
    pub is_strict: bool,
    /// Prints tags as well.
    pub is_verbose: bool,
    /// Creates stacks that do not exist.
    pub creates_stacks: bool,
    /// The description of the refactor.
    pub description: Option<String>,
    /// Leaves the refactor unexecuted.
    pub is_unexecuted: bool,
    /// Executes without a question.
    pub is_approved: bool,
}
