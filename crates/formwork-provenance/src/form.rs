//! The part of a node's origin that the node alone shows.

use formwork_base::FrameKind;
use formwork_syntax::function::Known;
use formwork_syntax::tree::Frames;
use formwork_syntax::{FrameId, Function, Kind, NodeId, Tree};

use crate::authored::Authored;
use crate::origin::Rule;

/// The form of a node. Whether it was chosen or generated depends on the nodes around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// An authored node, or a collection with changes below.
    Written,
    Made(Rule),
    /// The replacement of a call: neither the call nor its value, unless no call was written there.
    OfCall(Rule),
    /// An item of a parameter's list, which has no span of its own.
    Item,
}

pub(crate) fn of(tree: &Tree, authored: &Authored, node: NodeId) -> Form {
    if authored.is_made(node) {
        return Form::Made(Rule::Transformed);
    }
    let site = tree.authored(node);
    if tree.kind(node) == Kind::Key {
        return match tree.kind(site) {
            Kind::Key if tree.is_computed(node) && !tree.is_alias(node) => Form::Made(Rule::Key),
            Kind::Key => Form::Written,
            _ => Form::Made(Rule::Generated),
        };
    }
    if !tree.is_generated(node) {
        return if authored.contains(node) { Form::Written } else { Form::Item };
    }
    if tree.is_alias(node) {
        return Form::Written;
    }
    match (tree.kind(node), tree.kind(site)) {
        (Kind::Call, _) => Form::Made(Rule::Reduced),
        (_, Kind::Call) => Form::OfCall(rule_of(tree.call(site).0)),
        (Kind::List | Kind::Map, _) => Form::Written,
        _ if tree.is_computed(node) => Form::Made(Rule::Computed),
        _ => Form::Written,
    }
}

/// Returns the rule by which a call returns its value.
fn rule_of(function: Function) -> Rule {
    match function {
        Function::Known(Known::Ref | Known::GetAtt) => Rule::Ref,
        Function::Known(Known::FindInMap) => Rule::LookedUp,
        Function::Known(Known::Transform) => Rule::Copied,
        _ => Rule::Computed,
    }
}

/// Returns the context of a node itself, where `below` is that of its content: the value of a parameter is inserted
/// behind a frame that the reference is not part of.
pub(crate) fn own_frame(tree: &Tree, frames: &Frames, node: NodeId, below: FrameId) -> FrameId {
    match frames.get(below) {
        Some(record)
            if matches!(record.kind, FrameKind::Argument | FrameKind::Output | FrameKind::Constant)
                && record.site == tree.span(node) =>
        {
            record.parent
        }
        _ => below,
    }
}

/// Returns `true` if the place of a mapping or list is that of its key: it is an authored value of a mapping, and no
/// function chose or computed it.
pub(crate) fn has_key_place(tree: &Tree, authored: &Authored, key: NodeId, node: NodeId) -> bool {
    let site = tree.authored(node);
    let is_own = tree.is_alias(node) || authored.key(site) == Some(tree.authored(key));
    tree.kind(site) == tree.kind(node) && is_own
}
