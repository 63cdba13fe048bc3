//! Nodes of the output with their surroundings.

use formwork_syntax::{Entry, FrameId, NodeId};

/// A node of the output, its key and its contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputNode {
    /// The node itself.
    pub node: NodeId,
    /// The key, for a value of a mapping.
    pub key: Option<NodeId>,
    /// The node around it.
    pub parent: Option<NodeId>,
    /// The context of the key.
    pub key_frame: FrameId,
    /// The context of its content.
    pub below: FrameId,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Child {
    Member(Entry),
    Item(NodeId),
}
