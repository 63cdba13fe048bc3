//! What the sources of a run have in common.

use crate::answers::Answers;
use crate::installations::Installations;

/// What sources of one run use together.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) answers: Answers,
    pub(crate) installations: Installations,
}
