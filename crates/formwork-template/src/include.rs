//! The call of `AWS::Include` (reference/packaging.md#includes).

use formwork_syntax::{NodeId, Tree, symbol};

/// Returns the `Location` in the argument of an `Fn::Transform`, or in an entry of `Transform`, that is `AWS::Include`.
pub fn location(tree: &Tree, argument: NodeId) -> Option<NodeId> {
    let name = tree.get(argument, symbol::NAME)?;
    if tree.string(name) != Some("AWS::Include") {
        return None;
    }
    tree.get(tree.get(argument, symbol::PARAMETERS)?, symbol::LOCATION)
}
