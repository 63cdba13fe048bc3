//! Certain dependencies of resources: references outside the branches of an `Fn::If`, which may not be taken, and
//! outside their metadata, which is never deployed.
//!
//! Collected while references are checked, so that one walk serves both checks.

use std::cell::RefCell;
use std::ops::Range;

use formwork_base::IdMap;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};
use formwork_template::reference::{self, Inside, Reference};

/// A needed resource: its position in the section, and the node that refers to it.
pub(super) type Need = (u32, NodeId);

pub(super) struct Needs<'n> {
    positions: &'n IdMap<Symbol, u32>,
    own: Vec<Need>,
    /// Authored subtrees of resources, as ranges of `shared`.
    parts: Vec<Range<u32>>,
    /// Dependencies below authored subtrees, which copies may share.
    shared: Vec<Need>,
    /// Range in `shared` of each authored subtree.
    known: IdMap<NodeId, Range<u32>>,
    /// Ends for the resources so far, in their order.
    ends: Vec<Ends>,
}

/// Ends of the parts of a resource; they begin at those of the resource before.
#[derive(Clone, Copy, Default)]
struct Ends {
    own: u32,
    parts: u32,
}

/// Callbacks of the check of references for each node and reference.
pub(super) struct Visitor<'v, 't> {
    /// Returns `true` if a node is entered: nodes that several copies share are entered once.
    pub(super) enter: &'v mut dyn FnMut(NodeId) -> bool,
    pub(super) visit: &'v mut dyn FnMut(Option<Symbol>, Reference<'t>),
}

impl<'n> Needs<'n> {
    pub(super) fn new(positions: &'n IdMap<Symbol, u32>) -> Needs<'n> {
        Needs {
            positions,
            own: Vec::new(),
            parts: Vec::new(),
            shared: Vec::new(),
            known: IdMap::default(),
            ends: Vec::with_capacity(positions.len()),
        }
    }

    /// Calls `visitor` for the nodes and references below a resource, in the order of [`reference::visit`], and adds
    /// its certain dependencies.
    pub(super) fn of_resource<'t>(&mut self, tree: &'t Tree, resource: NodeId, visitor: &mut Visitor<'_, 't>) {
        if tree.kind(resource) == Kind::Map {
            let is_entered = !tree.may_share() || (visitor.enter)(resource);
            for entry in tree.entries(resource) {
                // A loop that is left for CloudFormation refers to names that exist only inside it.
                let is_visited = is_entered && tree.loop_name(entry.key).is_none();
                let is_deployed = tree.symbol(entry.key) != symbol::METADATA;
                self.below(tree, entry.value, is_deployed, is_visited.then_some(&mut *visitor));
            }
        } else {
            self.below(tree, resource, false, Some(visitor));
        }
    }

    pub(super) fn depends_on(&mut self, name: Option<Symbol>, node: NodeId) {
        let position = name.and_then(|name| self.positions.get(&name));
        self.own.extend(position.map(|&position| (position, node)));
    }

    /// Ends an entry of the section, whether it is a resource or not.
    pub(super) fn end_entry(&mut self) {
        self.ends.push(self.ends());
    }

    fn ends(&self) -> Ends {
        Ends { own: self.own.len() as u32, parts: self.parts.len() as u32 }
    }

    fn below<'t>(&mut self, tree: &'t Tree, node: NodeId, is_deployed: bool, visitor: Option<&mut Visitor<'_, 't>>) {
        let both = RefCell::new((self, visitor));
        let mut enter = |node: NodeId, inside: Inside| {
            if !tree.may_share() || tree.is_generated(node) {
                return true;
            }
            let (needs, visitor) = &mut *both.borrow_mut();
            needs.authored(tree, node, inside, is_deployed, visitor.as_deref_mut());
            false
        };
        reference::visit_inside(tree, node, Inside::default(), &mut enter, &mut |reference| {
            let (needs, visitor) = &mut *both.borrow_mut();
            let symbol = tree.symbols().get(reference.name);
            if is_deployed && !reference.inside.branch {
                needs.own.extend(needs.need(symbol, &reference));
            }
            if let Some(visitor) = visitor {
                (visitor.visit)(symbol, reference);
            }
        });
    }

    /// Calls `visitor` for the nodes below an authored node, which copies may share, and adds its dependencies, which
    /// are searched once.
    fn authored<'t>(
        &mut self,
        tree: &'t Tree,
        node: NodeId,
        inside: Inside,
        is_deployed: bool,
        mut visitor: Option<&mut Visitor<'_, 't>>,
    ) {
        let is_needed = is_deployed && !inside.branch;
        if is_needed && !self.known.contains_key(&node) {
            let first = self.shared.len() as u32;
            self.look_below(tree, node, inside, visitor.take());
            self.known.insert(node, first..self.shared.len() as u32);
        }
        if let Some(Visitor { enter, visit }) = visitor {
            reference::visit_inside(tree, node, inside, &mut |node, _| enter(node), &mut |reference| {
                visit(tree.symbols().get(reference.name), reference);
            });
        }
        if let Some(part) = self.known.get(&node).filter(|part| is_needed && part.start < part.end) {
            self.parts.push(part.clone());
        }
    }

    /// Adds the dependencies below an authored node to `shared`, and calls `visitor` for its nodes.
    fn look_below<'t>(&mut self, tree: &'t Tree, node: NodeId, inside: Inside, visitor: Option<&mut Visitor<'_, 't>>) {
        let both = RefCell::new((self, visitor));
        let mut enter = |node: NodeId, inside: Inside| {
            let (needs, visitor) = &mut *both.borrow_mut();
            let is_visited = visitor.as_mut().is_none_or(|visitor| (visitor.enter)(node));
            if !is_visited && !inside.branch {
                needs.look_below(tree, node, inside, None);
            }
            is_visited
        };
        reference::visit_inside(tree, node, inside, &mut enter, &mut |reference| {
            let (needs, visitor) = &mut *both.borrow_mut();
            let symbol = tree.symbols().get(reference.name);
            if !reference.inside.branch {
                needs.shared.extend(needs.need(symbol, &reference));
            }
            if let Some(visitor) = visitor {
                (visitor.visit)(symbol, reference);
            }
        });
    }

    fn need(&self, symbol: Option<Symbol>, reference: &Reference<'_>) -> Option<Need> {
        symbol.and_then(|name| self.positions.get(&name)).map(|&position| (position, reference.node))
    }

    /// Returns the dependencies of the resource at a position, without duplicates, in `found`.
    pub(super) fn get<'f>(&self, position: u32, found: &'f mut Vec<Need>) -> &'f [Need] {
        found.clear();
        let at = position as usize;
        let Some(&end) = self.ends.get(at) else { return found };
        let start = at.checked_sub(1).map_or(Ends::default(), |before| self.ends[before]);
        found.extend_from_slice(&self.own[start.own as usize..end.own as usize]);
        for part in &self.parts[start.parts as usize..end.parts as usize] {
            found.extend_from_slice(&self.shared[part.start as usize..part.end as usize]);
        }
        found.sort_unstable();
        found.dedup_by_key(|need| need.0);
        found
    }
}
