//! The values that a run knows.

use formwork_evaluate::{AccountData, Argument};
use formwork_syntax::NodeId;
use formwork_template::PseudoParameter;

pub(super) struct Known {
    pub(super) arguments: Vec<Argument>,
    pub(super) facts: AccountData,
    pub(super) pseudo: Vec<(PseudoParameter, NodeId)>,
}
