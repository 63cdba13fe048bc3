//! The result of evaluating a node.

use formwork_syntax::NodeId;

/// The result of evaluating a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A node without calls.
    Known(NodeId),
    /// Known, but computed from the value of a `NoEcho` parameter: it may decide, and is never written. `kept` is the
    /// node of the output.
    Secret {
        /// The value, for decisions and checks only.
        value: NodeId,
        /// The expression that is written.
        kept: NodeId,
    },
    /// Still a valid CloudFormation expression, its arguments reduced.
    Residual(NodeId),
    /// `AWS::NoValue`, by the node that returns it: the parent drops the entry.
    Omit(NodeId),
    /// Already reported: stay silent.
    Poison,
}

impl Outcome {
    /// Returns the value, if it is known, even if it may not be written.
    pub fn value(self) -> Option<NodeId> {
        match self {
            Outcome::Known(value) | Outcome::Secret { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Returns `true` if the value came from a `NoEcho` parameter.
    pub fn is_secret(self) -> bool {
        matches!(self, Outcome::Secret { .. })
    }

    /// Returns the node that is written, `original` where the error was reported.
    pub fn written(self, original: NodeId) -> Option<NodeId> {
        match self {
            Outcome::Known(node) | Outcome::Residual(node) | Outcome::Secret { kept: node, .. } => Some(node),
            Outcome::Omit(_) => None,
            Outcome::Poison => Some(original),
        }
    }

    /// Returns the node as the argument of a call that stays; an omitted value is the node that returned it.
    pub fn as_argument(self, original: NodeId) -> NodeId {
        match self {
            Outcome::Omit(node) => node,
            outcome => outcome.written(original).unwrap_or(original),
        }
    }
}
