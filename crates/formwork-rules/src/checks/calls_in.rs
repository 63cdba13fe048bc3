//! The calls of a function in entries of sections.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, NodeSet, flags};

use crate::Context;

/// Returns the calls of a function at and below the values of entries, each with the key of its entry; a value that
/// several entries share is looked at a single time.
pub(super) fn calls_in(
    cx: &Context<'_>,
    function: Known,
    members: impl IntoIterator<Item = Entry>,
) -> Vec<(NodeId, NodeId)> {
    let tree = cx.tree;
    let (mut found, mut done) = (Vec::new(), NodeSet::default());
    for member in members {
        let mut pending = vec![member.value];
        while let Some(node) = pending.pop() {
            if !tree.has(node, flags::HAS_CALL) || tree.may_share() && !tree.is_generated(node) && !done.insert(node) {
                continue;
            }
            match tree.kind(node) {
                Kind::List => pending.extend(tree.items(node).iter().rev()),
                Kind::Map => pending.extend(tree.entries(node).rev().map(|entry| entry.value)),
                Kind::Call if tree.argument_of(node, Known::Transform).is_some() => {}
                Kind::Call => {
                    if tree.argument_of(node, function).is_some() {
                        found.push((member.key, node));
                    }
                    pending.push(tree.call(node).1);
                }
                _ => {}
            }
        }
    }
    found
}
