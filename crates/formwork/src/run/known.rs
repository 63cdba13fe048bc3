//! What a run knows of values.

use formwork_evaluate::{AccountData, Argument};
use formwork_syntax::NodeId;
use formwork_template::PseudoParameter;

/// The values passed to the run, read once.
pub(super) struct Known {
    pub(super) arguments: Vec<Argument>,
    pub(super) facts: AccountData,
    pub(super) pseudo: Vec<(PseudoParameter, NodeId)>,
}
