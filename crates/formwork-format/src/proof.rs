//! Proves that a result is the same template, before anybody sees it.

use formwork_syntax::{Format, Kind, NodeId, Tree};

use crate::reading::{Reading, Refused};
use crate::yaml;

/// Checks that `after` is the same template as `before`: the same bytes but for white space, the same comments, and a
/// tree of the same nodes, styles and anchors.
pub(crate) fn prove(read: &Reading, before: &str, again: &Reading, after: &str) -> Result<(), Refused> {
    if !yaml::visible(before).eq(yaml::visible(after)) {
        return Err(Refused::Unproved("a character other than white space changed"));
    }
    if read.document.format != again.document.format || !same_nodes(&read.tree, &again.tree) {
        return Err(Refused::Unproved("the data changed"));
    }
    if !same(&read.tree, read.document.root, &again.tree, again.document.root) {
        return Err(Refused::Unproved("the structure changed"));
    }
    if read.document.format == Format::Yaml && !yaml::same_signs((before, &read.scalars()), (after, &again.scalars())) {
        return Err(Refused::Unproved("a comment moved to another node"));
    }
    Ok(())
}

/// Returns `true` if two trees have the same nodes in the same order, nodes that a duplicate key replaced included.
fn same_nodes(a: &Tree, b: &Tree) -> bool {
    a.node_count() == b.node_count()
        && (1..=a.node_count()).all(|number| {
            let (Some(x), Some(y)) = (a.node(number as u32), b.node(number as u32)) else { return false };
            a.kind(x) == b.kind(y)
                && a.style(x) == b.style(y)
                && a.is_alias(x) == b.is_alias(y)
                && a.anchor(x).is_some() == b.anchor(y).is_some()
                && (!(a.is_scalar(x) || a.kind(x) == Kind::Key) || a.text(x) == b.text(y))
        })
}

/// Returns `true` if two nodes have the same children in the same order; their own kinds and contents have been
/// compared.
fn same(a: &Tree, x: NodeId, b: &Tree, y: NodeId) -> bool {
    let mut open = vec![(x, y)];
    while let Some((x, y)) = open.pop() {
        if x.index() != y.index() {
            return false;
        }
        if a.is_alias(x) {
            continue;
        }
        let (below, other) = (a.children(x), b.children(y));
        if below.len() != other.len() || a.kind(x) == Kind::Map && !same_keys(a, x, b, y) {
            return false;
        }
        open.extend(below.into_iter().zip(other));
    }
    true
}

fn same_keys(a: &Tree, x: NodeId, b: &Tree, y: NodeId) -> bool {
    a.entries(x).zip(b.entries(y)).all(|(one, other)| one.key.index() == other.key.index())
}
