//! The deployments that functions ask for, until all functions are translated.

use formwork_syntax::NodeId;

use crate::value::{Map, Value};

/// The deployments of all functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Deployments {
    pub(crate) list: Vec<Deployment>,
    /// Tags of functions that propagate them.
    pub(crate) tags: Map,
}

/// A deployment of an alias.
#[derive(Clone, Debug)]
pub(crate) struct Deployment {
    pub(crate) id: String,
    pub(crate) preference: Value,
    /// The condition of the function, if it is handed on.
    pub(crate) condition: Option<Value>,
    pub(crate) tags: Option<Value>,
    pub(crate) origin: Option<NodeId>,
}
