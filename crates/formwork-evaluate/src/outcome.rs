//! What evaluating a node yields.

use formwork_syntax::NodeId;

/// The result of evaluating a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No call is left below it.
    Known(NodeId),
    /// Known, but made from the value of a `NoEcho` parameter: it may decide, and is never written.
    /// `kept` is the node of the output.
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
    /// The value, if it is known, whether or not it may be written.
    pub fn value(self) -> Option<NodeId> {
        match self {
            Outcome::Known(value) | Outcome::Secret { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Whether the value came from a `NoEcho` parameter.
    pub fn is_secret(self) -> bool {
        matches!(self, Outcome::Secret { .. })
    }

    /// The node that is written, `original` where the error was reported.
    pub fn written(self, original: NodeId) -> Option<NodeId> {
        match self {
            Outcome::Known(node) | Outcome::Residual(node) | Outcome::Secret { kept: node, .. } => Some(node),
            Outcome::Omit(_) => None,
            Outcome::Poison => Some(original),
        }
    }

    /// What it looks like as the argument of a call that stays: nothing, by the node that
    /// yielded it.
    pub fn as_argument(self, original: NodeId) -> NodeId {
        match self {
            Outcome::Omit(node) => node,
            outcome => outcome.written(original).unwrap_or(original),
        }
    }
}
