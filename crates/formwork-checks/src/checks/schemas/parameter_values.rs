//! What is known about the values of parameters, each of which may be used many times.

use std::rc::Rc;

use formwork_base::Code;
use formwork_syntax::NodeId;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known about parameters after their first uses.
#[derive(Default)]
pub(super) struct ParameterValues<'w> {
    /// The first value that a property does not take, by the key of the parameter, the node of the schema and the type.
    pub(super) refused: FxHashMap<(NodeId, u32, &'w str), Option<Rc<Refused>>>,
    /// The value that a parameter is assumed to have while a rule is judged, by the key of the parameter.
    pub(super) assumed: Option<(NodeId, &'w str)>,
    /// Names in conditions and rules.
    pub(super) in_conditions: Option<FxHashSet<&'w str>>,
}

/// A value that a property does not take.
pub(super) struct Refused {
    pub(super) value: String,
    pub(super) source: &'static str,
    pub(super) code: Code,
    pub(super) reason: String,
}
