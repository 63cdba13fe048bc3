//! The node to change.

use std::ops::Range;

use formwork::query::FileIndex;
use formwork::tree::{Function, Kind, Known};
use formwork::{NodeId, Tree};

use crate::actions::Spot;
use crate::visit::visit;

#[derive(Clone)]
pub(super) struct Site<'i> {
    pub(super) index: &'i FileIndex,
    pub(super) node: NodeId,
    /// The keys that lead to it.
    pub(super) path: Vec<String>,
    /// The key of which it is the value.
    pub(super) key: Option<NodeId>,
    pub(super) range: Range<u32>,
}

impl<'i> Site<'i> {
    pub(super) fn tree(&self) -> &'i Tree {
        self.index.tree()
    }

    pub(super) fn source(&self, node: NodeId) -> &'i str {
        let range = self.index.range_of(self.tree().site(node));
        self.index.text().get(range.start as usize..range.end as usize).unwrap_or_default().trim_end()
    }

    pub(super) fn is_single_line(&self) -> bool {
        !self.source(self.node).contains('\n')
    }

    /// The argument, if the node is a call of this function.
    pub(super) fn argument_of(&self, known: Known) -> Option<NodeId> {
        let (function, argument) = (self.tree().kind(self.node) == Kind::Call).then(|| self.tree().call(self.node))?;
        (function == Function::Known(known)).then_some(argument)
    }
}

/// The innermost node around the range for which `is_it` is true.
pub(super) fn innermost<'s>(spot: &'s Spot<'_, '_>, is_it: impl Fn(&Tree, NodeId) -> bool) -> Option<Site<'s>> {
    let index = spot.ide.file(spot.file)?;
    let tree = index.tree();
    let mut found: Option<Site<'s>> = None;
    visit(tree, index.root()?, &mut |visited| {
        if tree.is_alias(visited.node) {
            return;
        }
        let range = index.range_of(tree.site(visited.node));
        let is_around = range.start <= spot.range.start && spot.range.end <= range.end;
        if is_around && is_it(tree, visited.node) {
            let path = visited.path.iter().map(|part| (*part).to_owned()).collect();
            found = Some(Site { index, node: visited.node, path, key: visited.key, range });
        }
    });
    found
}
