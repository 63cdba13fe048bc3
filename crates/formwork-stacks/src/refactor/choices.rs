//! What is chosen for a refactor.

use formwork_run::{InputChoices, UploadChoices};

/// What is chosen for a refactor.
#[derive(Clone, Debug)]
pub struct RefactorChoices {
    /// What the templates are compiled with.
    pub inputs: InputChoices,
    /// Where a template goes that is too large for a request.
    pub upload: UploadChoices,
    /// Whether warnings are errors.
    pub is_strict: bool,
    /// Whether tags are printed, too.
    pub is_verbose: bool,
    /// Whether stacks that do not exist are created.
    pub creates_stacks: bool,
    /// The description of the refactor.
    pub description: Option<String>,
    /// Whether it is left unexecuted.
    pub is_unexecuted: bool,
    /// Whether nobody is asked.
    pub is_approved: bool,
}
