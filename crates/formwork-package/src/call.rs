//! Calls that packaging writes.

use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, NodeId, Origin, Style, Tree};

use crate::value_path::{NEW, new_key};

/// Creates a call in the author's short form; generated from `like`, if that exists.
pub(crate) fn call(tree: &mut Tree, function: Known, argument: NodeId, like: Option<NodeId>) -> NodeId {
    let name = new_key(tree, function.long());
    let origin = like.map_or(NEW, |node| Origin::Generated(node, FrameId::NONE));
    tree.add_call(Function::Known(function), name, argument, Style::Tag, origin)
}
