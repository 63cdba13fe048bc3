//! Nodes below others, and nodes in the place of others.

use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Symbol, Tree, View};

use super::Linker;
use super::goals::{Resolved, Stop};
use super::instance::InstanceId;

/// Visits a node and those below it, in the order in which they are written. What is below a node is visited
/// when `enter` returns true for it.
pub(super) fn walk(tree: &Tree, node: NodeId, mut enter: impl FnMut(NodeId) -> bool) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if !enter(node) {
            continue;
        }
        match tree.view(node) {
            View::List(items) => open.extend(items.iter().rev()),
            View::Map => open.extend(tree.entries(node).map(|entry| entry.value).rev()),
            View::Call(_, argument) => open.push(argument),
            _ => {}
        }
    }
}

impl Linker<'_> {
    /// A list in the place of `node`; itself when it is the same.
    pub(super) fn list_in_place(&mut self, node: NodeId, items: &[NodeId], frame: FrameId) -> NodeId {
        if self.tree.kind(node) == Kind::List && self.tree.items(node) == items {
            return node;
        }
        let (style, frame) = (self.tree.style(node), self.frame_within(node, frame));
        self.tree.list(items, style, Origin::Generated(node, frame))
    }

    /// A map in the place of `node`; itself when it is the same.
    pub(super) fn map_in_place(&mut self, node: NodeId, entries: &[Entry], frame: FrameId) -> NodeId {
        if self.tree.kind(node) == Kind::Map && self.tree.entries(node).eq(entries.iter().copied()) {
            return node;
        }
        let (style, frame) = (self.tree.style(node), self.frame_within(node, frame));
        self.tree.map(entries, style, Origin::Generated(node, frame))
    }

    /// What is at `node` with other nodes directly below it; itself when they are the same.
    pub(super) fn children_in_place(&mut self, node: NodeId, children: &[NodeId], frame: FrameId) -> NodeId {
        if self.tree.children(node) == children {
            return node;
        }
        let frame = self.frame_within(node, frame);
        self.tree.with_children(node, children, frame)
    }

    /// The call at `node` with another argument.
    pub(super) fn call_in_place(&mut self, node: NodeId, argument: NodeId, frame: FrameId) -> NodeId {
        if self.tree.call(node).1 == argument {
            return node;
        }
        let frame = self.frame_within(node, frame);
        self.tree.call_like(node, argument, frame)
    }

    /// A text in the place of `node`.
    pub(super) fn text_in_place(&mut self, node: NodeId, text: &str, frame: FrameId) -> NodeId {
        let frame = self.frame_within(node, frame);
        self.tree.computed(text, Origin::Generated(node, frame))
    }

    /// A name in the place of `node`.
    pub(super) fn name_in_place(&mut self, node: NodeId, name: Symbol, frame: FrameId) -> NodeId {
        let text = self.tree.name(name).to_owned();
        self.text_in_place(node, &text, frame)
    }

    /// The context of a node inside the context `outer`.
    pub(super) fn frame_within(&mut self, node: NodeId, outer: FrameId) -> FrameId {
        let own = self.tree.frame_of(node);
        if own.is_none() || own == outer {
            return outer;
        }
        self.tree.frames_mut().join(outer, own)
    }

    /// The same as a symbol.
    pub(super) fn full_symbol(&mut self, name: &str, scope: InstanceId) -> Symbol {
        self.tree.intern(&self.values.full_name(name, scope))
    }

    /// The context of a node in an instance.
    pub(super) fn frame_at(&mut self, node: NodeId, scope: InstanceId) -> FrameId {
        self.frame_within(node, self.values.instances[scope.at()].frame)
    }

    /// Accounts for a text before it is made. What exceeds a limit is reported.
    pub(super) fn charge(&mut self, bytes: usize, at: NodeId, scope: InstanceId) -> Resolved<()> {
        const SHORT: usize = 4096;
        if self.values.stopped {
            return Err(Stop::Reported);
        }
        if bytes <= SHORT {
            return Ok(());
        }
        self.values.text_bytes = self.values.text_bytes.saturating_add(bytes as u64);
        if bytes as u64 > self.limits.text_bytes || self.values.text_bytes > self.limits.total_text_bytes {
            return self.stop(scope, at, "the strings that modules generate are too large");
        }
        Ok(())
    }

    /// The items of a list; anything else is alone.
    pub(super) fn items_or_self(&self, node: NodeId) -> Vec<NodeId> {
        if self.tree.kind(node) == Kind::List { self.tree.items(node).to_vec() } else { vec![node] }
    }
}
