//! The calls of a function in entries of sections.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, flags};

use super::repeats::Repeats;
use crate::Context;

#[derive(Clone, Copy)]
pub(super) struct CallIn {
    pub(super) member: NodeId,
    pub(super) call: NodeId,
    /// Number of occurrences: one in each iteration of the loops around it.
    pub(super) count: u32,
}

/// Returns the calls of a function at and below the values of entries; a value that several entries share is visited a
/// single time.
pub(super) fn calls_in(cx: &Context<'_>, function: Known, members: impl IntoIterator<Item = Entry>) -> Vec<CallIn> {
    let tree = cx.tree;
    let (mut found, mut repeats) = (Vec::new(), Repeats::default());
    for member in members {
        let mut pending = vec![member.value];
        while let Some(node) = pending.pop() {
            if !tree.has(node, flags::HAS_CALL) || !repeats.enter(tree, node) {
                continue;
            }
            match tree.kind(node) {
                Kind::List => pending.extend(tree.items(node).iter().rev()),
                Kind::Map => pending.extend(tree.entries(node).rev().map(|entry| entry.value)),
                Kind::Call if tree.argument_of(node, Known::Transform).is_some() => {}
                Kind::Call => {
                    if tree.argument_of(node, function).is_some() {
                        found.push(CallIn { member: member.key, call: node, count: 1 });
                    }
                    pending.push(tree.call(node).1);
                }
                _ => {}
            }
        }
    }
    let counts = repeats.counts(tree, found.iter().map(|one| one.call));
    for one in &mut found {
        one.count = counts.get(&one.call).copied().unwrap_or(1);
    }
    found
}
