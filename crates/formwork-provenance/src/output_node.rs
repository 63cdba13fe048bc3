//! A node of the output, with what lies around it.

use formwork_syntax::{Entry, FrameId, NodeId};

/// A node of the output, its key and its contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputNode {
    /// The node.
    pub node: NodeId,
    /// The key before it, when it is a value of a map.
    pub key: Option<NodeId>,
    /// The node around it.
    pub parent: Option<NodeId>,
    /// The context of the key.
    pub key_frame: FrameId,
    /// The context of what is below it.
    pub below: FrameId,
}

/// Something below a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Child {
    Member(Entry),
    Item(NodeId),
}
