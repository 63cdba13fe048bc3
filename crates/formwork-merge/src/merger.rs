//! The state of a union, and its new collections.

use formwork_base::{Diagnostics, Span};
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Tree};
use rustc_hash::FxHashSet;

pub(crate) struct Merger<'m> {
    pub(crate) tree: &'m mut Tree,
    pub(crate) diagnostics: &'m mut Diagnostics,
    pub(crate) made: FxHashSet<NodeId>,
    pub(crate) parts: Vec<(Option<NodeId>, NodeId)>,
}

impl Merger<'_> {
    /// Returns the entries of an object, also of one that is the call of a function.
    pub(crate) fn members(&self, node: NodeId) -> Vec<Entry> {
        self.tree.data_members(node).map(Iterator::collect).unwrap_or_default()
    }

    pub(crate) fn is_blank(&self, node: NodeId) -> bool {
        match self.tree.kind(node) {
            Kind::Null => true,
            Kind::Map => self.tree.is_empty(node),
            _ => false,
        }
    }

    pub(crate) fn new_map(&mut self, entries: &[Entry], like: Option<NodeId>) -> NodeId {
        let origin = self.origin(like);
        let map = self.tree.map(entries, Style::Plain, origin);
        self.made.insert(map);
        map
    }

    pub(crate) fn new_list(&mut self, items: &[NodeId], like: NodeId) -> NodeId {
        let origin = self.origin(Some(like));
        let list = self.tree.list(items, Style::Plain, origin);
        self.made.insert(list);
        list
    }

    pub(crate) fn add_part(&mut self, key: NodeId, part: NodeId) {
        self.parts.push((Some(key), part));
    }

    /// The union is what the template is written like: its collections are authored at the first place.
    fn origin(&self, like: Option<NodeId>) -> Origin {
        Origin::Authored(like.map_or(Span::NONE, |like| self.tree.span(like)))
    }
}
