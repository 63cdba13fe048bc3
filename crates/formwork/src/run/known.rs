//! What a run knows of values.

use formwork_evaluate::{AccountData, Argument};
use formwork_syntax::NodeId;
use formwork_template::PseudoParameter;

/// What the run was told of values, read once.
pub(super) struct Known {
    pub(super) arguments: Vec<Argument>,
    pub(super) facts: AccountData,
    pub(super) pseudo: Vec<(PseudoParameter, NodeId)>,
}
