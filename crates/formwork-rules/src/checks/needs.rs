//! What resources need for sure: what they refer to outside the branches of an `Fn::If`, which may not be taken, and
//! outside their metadata, which is never deployed.
//!
//! Collected while references are checked, so that one walk serves both checks.

use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::reference::{self, Reference};
use rustc_hash::FxHashMap;

/// One reference: the name, and the node that holds it.
pub(super) type Need = (Symbol, NodeId);

/// What resources need: all of them, in a tree without shared nodes, else those that need none.
#[derive(Default)]
pub(super) struct Needs {
    needs: Vec<Need>,
    /// Where those of a resource are in `needs`.
    ranges: FxHashMap<NodeId, std::ops::Range<usize>>,
}

impl Needs {
    /// Calls `visit` for every reference below a resource, in the order of [`reference::visit`] and with the symbol of
    /// the name, and notes what the resource needs for sure.
    pub(super) fn of_resource<'t>(
        &mut self,
        tree: &'t Tree,
        resource: NodeId,
        visit: &mut impl FnMut(Option<Symbol>, Reference<'t>),
    ) {
        let first = self.needs.len();
        let mut below = |node: NodeId, is_deployed: bool, is_visited: bool| {
            reference::visit(tree, node, &mut |_| true, &mut |reference| {
                let symbol = tree.symbols().get(reference.name);
                if let Some(name) = symbol.filter(|_| is_deployed && !reference.inside.branch) {
                    self.needs.push((name, reference.node));
                }
                if is_visited {
                    visit(symbol, reference);
                }
            });
        };
        if tree.kind(resource) == Kind::Map {
            for entry in tree.entries(resource) {
                // A loop that is left for CloudFormation names what exists only inside it.
                let is_visited = tree.loop_name(entry.key).is_none();
                below(entry.value, tree.symbol(entry.key) != symbol::METADATA, is_visited);
            }
        } else {
            below(resource, false, true);
        }
        self.ranges.insert(resource, first..self.needs.len());
    }

    /// Notes that a resource needs nothing.
    pub(super) fn of_none(&mut self, resource: NodeId) {
        self.ranges.insert(resource, 0..0);
    }

    /// Returns what was noted of a resource.
    pub(super) fn get(&self, resource: NodeId) -> Option<&[Need]> {
        self.needs.get(self.ranges.get(&resource)?.clone())
    }
}
