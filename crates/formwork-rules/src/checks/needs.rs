//! What resources need for sure: what they refer to outside the branches of an `Fn::If`, which may not be taken, and
//! outside their metadata, which is never deployed.
//!
//! Collected while references are checked, so that one walk serves both checks.

use std::cell::RefCell;
use std::ops::Range;

use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::reference::{self, Inside, Reference};
use rustc_hash::FxHashMap;

/// One reference: the name, and the node that holds it.
pub(super) type Need = (Symbol, NodeId);

/// What resources need.
#[derive(Default)]
pub(super) struct Needs {
    all: Vec<Need>,
    /// Where those of a resource are in `all`.
    ranges: FxHashMap<NodeId, Range<u32>>,
    /// Where those below an authored node are that copies may share.
    shared: FxHashMap<NodeId, Range<u32>>,
}

/// What the check of references does at each node and reference.
pub(super) struct Visitor<'v, 't> {
    /// Whether a node is looked into: what several copies share is once.
    pub(super) enter: &'v mut dyn FnMut(NodeId) -> bool,
    /// Receives each reference, and the symbol of the name.
    pub(super) visit: &'v mut dyn FnMut(Option<Symbol>, Reference<'t>),
}

impl Needs {
    /// Calls `visitor` for the nodes and references below a resource, in the order of [`reference::visit`], and notes what
    /// the resource needs for sure.
    pub(super) fn of_resource<'t>(&mut self, tree: &'t Tree, resource: NodeId, visitor: &mut Visitor<'_, 't>) {
        let first = self.end();
        if tree.kind(resource) == Kind::Map {
            let is_entered = !tree.may_share() || (visitor.enter)(resource);
            for entry in tree.entries(resource) {
                // A loop that is left for CloudFormation names what exists only inside it.
                let is_visited = is_entered && tree.loop_name(entry.key).is_none();
                let is_deployed = tree.symbol(entry.key) != symbol::METADATA;
                self.below(tree, entry.value, is_deployed, is_visited.then_some(&mut *visitor));
            }
        } else {
            self.below(tree, resource, false, Some(visitor));
        }
        self.ranges.insert(resource, first..self.end());
    }

    /// Notes that a copy of `first` (see [`Tree::counterpart`]) needs what that needs.
    pub(super) fn of_copy(&mut self, tree: &Tree, first: NodeId, copy: NodeId) {
        let (start, known) = (self.end(), self.ranges.get(&first).cloned().unwrap_or(0..0));
        if let Some(counterpart) = tree.counterpart(first, copy) {
            self.all.extend_from_within(known.start as usize..known.end as usize);
            self.all[start as usize..].iter_mut().for_each(|(_, node)| *node = counterpart(*node));
        }
        self.ranges.insert(copy, start..self.end());
    }

    fn below<'t>(&mut self, tree: &'t Tree, node: NodeId, is_deployed: bool, visitor: Option<&mut Visitor<'_, 't>>) {
        let both = RefCell::new((self, visitor));
        let mut enter = |node: NodeId, inside: Inside| {
            if !tree.may_share() || tree.is_generated(node) {
                return true;
            }
            let (needs, visitor) = &mut *both.borrow_mut();
            if let Some(Visitor { enter, visit }) = visitor {
                reference::visit_inside(tree, node, inside, &mut |node, _| enter(node), &mut |reference| {
                    visit(tree.symbols().get(reference.name), reference);
                });
            }
            if is_deployed && !inside.branch {
                needs.add_shared(tree, node);
            }
            false
        };
        reference::visit_inside(tree, node, Inside::default(), &mut enter, &mut |reference| {
            let (needs, visitor) = &mut *both.borrow_mut();
            let symbol = tree.symbols().get(reference.name);
            if let Some(name) = symbol.filter(|_| is_deployed && !reference.inside.branch) {
                needs.all.push((name, reference.node));
            }
            if let Some(visitor) = visitor {
                (visitor.visit)(symbol, reference);
            }
        });
    }

    /// Adds what is needed below an authored node, which is looked for once.
    fn add_shared(&mut self, tree: &Tree, node: NodeId) {
        if let Some(known) = self.shared.get(&node) {
            return self.all.extend_from_within(known.start as usize..known.end as usize);
        }
        let first = self.end();
        reference::visit_certain(tree, node, &mut |_| true, &mut |reference| {
            self.all.extend(tree.symbols().get(reference.name).map(|name| (name, reference.node)));
        });
        self.shared.insert(node, first..self.end());
    }

    fn end(&self) -> u32 {
        self.all.len() as u32
    }

    /// Returns what was noted of a resource.
    pub(super) fn get(&self, resource: NodeId) -> &[Need] {
        let range = self.ranges.get(&resource).map_or(0..0, |range| range.start as usize..range.end as usize);
        &self.all[range]
    }
}
