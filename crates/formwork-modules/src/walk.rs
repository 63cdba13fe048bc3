//! Walks over nodes, and construction of nodes in place of others.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Symbol, Tree, View};
use formwork_template::{reference, sub_string};

use super::Linker;
use super::instance::InstanceId;
use super::stop::{Resolved, Stop};

/// Visits a node and those below it, in the order in which they are written. The nodes below a node are visited when
/// `enter` returns `true` for it.
pub(super) fn walk(tree: &Tree, node: NodeId, mut enter: impl FnMut(NodeId) -> bool) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if !enter(node) {
            continue;
        }
        open.extend(tree.child_nodes(node).rev());
    }
}

impl Linker<'_> {
    /// Returns a list in place of `node`; the same node when it is unchanged.
    pub(super) fn list_in_place(&mut self, node: NodeId, items: &[NodeId], frame: FrameId) -> NodeId {
        if self.tree.kind(node) == Kind::List && self.tree.items(node) == items {
            return node;
        }
        let (style, frame) = (self.tree.style(node), self.frame_within(node, frame));
        self.tree.list(items, style, Origin::Generated(node, frame))
    }

    /// Returns a mapping in place of `node`; the same node when it is unchanged.
    pub(super) fn map_in_place(&mut self, node: NodeId, entries: &[Entry], frame: FrameId) -> NodeId {
        if self.tree.kind(node) == Kind::Map && self.tree.entries(node).eq(entries.iter().copied()) {
            return node;
        }
        let (style, frame) = (self.tree.style(node), self.frame_within(node, frame));
        self.tree.map(entries, style, Origin::Generated(node, frame))
    }

    /// Returns `node` with other nodes directly below it; the same node when they are unchanged.
    pub(super) fn children_in_place(&mut self, node: NodeId, children: &[NodeId], frame: FrameId) -> NodeId {
        if self.tree.child_nodes(node).eq(children.iter().copied()) {
            return node;
        }
        let frame = self.frame_within(node, frame);
        self.tree.with_children(node, children, frame)
    }

    pub(super) fn call_in_place(&mut self, node: NodeId, argument: NodeId, frame: FrameId) -> NodeId {
        if self.tree.call(node).1 == argument {
            return node;
        }
        let frame = self.frame_within(node, frame);
        self.tree.call_like(node, argument, frame)
    }

    pub(super) fn text_in_place(&mut self, node: NodeId, text: &str, frame: FrameId) -> NodeId {
        let frame = self.frame_within(node, frame);
        self.tree.computed(text, Origin::Generated(node, frame))
    }

    pub(super) fn name_in_place(&mut self, node: NodeId, name: Symbol, frame: FrameId) -> NodeId {
        let text = self.tree.name(name).to_owned();
        self.text_in_place(node, &text, frame)
    }

    pub(super) fn frame_within(&mut self, node: NodeId, outer: FrameId) -> FrameId {
        let own = self.tree.frame_of(node);
        if own.is_none() || own == outer {
            return outer;
        }
        self.tree.frames_mut().join(outer, own)
    }

    pub(super) fn full_symbol(&mut self, name: &str, scope: InstanceId) -> Symbol {
        self.tree.intern(&self.values.full_name(name, scope))
    }

    pub(super) fn frame_at(&mut self, node: NodeId, scope: InstanceId) -> FrameId {
        self.frame_within(node, self.values.instances[scope.at()].frame)
    }

    /// Charges a string before it is generated. An exceeded limit is reported.
    pub(super) fn charge(&mut self, bytes: usize, at: NodeId, scope: InstanceId) -> Resolved<()> {
        const SHORT: usize = 4096;
        if self.values.usage.stopped {
            return Err(Stop::Reported);
        }
        if bytes <= SHORT {
            return Ok(());
        }
        self.values.usage.text_bytes = self.values.usage.text_bytes.saturating_add(bytes as u64);
        if bytes as u64 > self.limits.text_bytes || self.values.usage.text_bytes > self.limits.total_text_bytes {
            return self.stop(scope, at, "the strings that modules generate are too large");
        }
        Ok(())
    }

    /// Returns the items of a list; anything else is a single item.
    pub(super) fn items_or_self(&self, node: NodeId) -> Vec<NodeId> {
        if self.tree.kind(node) == Kind::List { self.tree.items(node).to_vec() } else { vec![node] }
    }

    pub(super) fn sub_argument(&self, argument: NodeId) -> Option<(NodeId, Option<NodeId>)> {
        let (text, map) = reference::sub_parts(self.tree, argument);
        let is_sub = map.is_none_or(|map| self.tree.kind(map) == Kind::Map && self.tree.len(argument) == 2);
        (is_sub && self.tree.kind(text) == Kind::String && (map.is_some() || text == argument)).then_some((text, map))
    }

    /// Returns the call of `Fn::Sub` with another string and other variables; the string alone if it needs no function.
    pub(super) fn sub_in_place(&mut self, call: NodeId, text: NodeId, map: Option<NodeId>, frame: FrameId) -> NodeId {
        let argument = self.tree.call(call).1;
        let Some(map) = map else {
            if text == argument || sub_string::has_variables(self.tree.text(text)) {
                return self.call_in_place(call, text, frame);
            }
            let frame = self.frame_within(call, frame);
            return self.tree.stand_in(text, call, frame);
        };
        let list = self.children_in_place(argument, &[text, map], frame);
        self.call_in_place(call, list, frame)
    }

    /// Returns a call by this stage in place of `node`, in the spelling of its surroundings.
    pub(super) fn call_made(&mut self, known: Known, argument: NodeId, node: NodeId, frame: FrameId) -> NodeId {
        let origin = Origin::Generated(node, frame);
        let written = self.tree.style(node);
        let style = if matches!(written, Style::Tag | Style::Flow) { written } else { Style::Plain };
        let key = self.tree.key(known.long(), Style::Plain, origin);
        self.tree.add_call(Function::Known(known), key, argument, style, origin)
    }

    pub(super) fn no_value(&mut self, call: NodeId, scope: InstanceId) -> NodeId {
        let frame = self.frame_at(call, scope);
        let origin = Origin::Generated(call, frame);
        let name = self.tree.computed("AWS::NoValue", origin);
        self.call_made(Known::Ref, name, call, frame)
    }

    pub(super) fn is_no_value(&self, node: NodeId) -> bool {
        self.tree.argument_of(node, Known::Ref).is_some_and(|name| self.tree.string(name) == Some("AWS::NoValue"))
    }

    pub(super) fn symbol_of(&mut self, node: NodeId) -> Symbol {
        let text = self.tree.text(node).to_owned();
        self.tree.intern(&text)
    }

    /// Returns the entries of a section's body, so that others can be added: a call that is the whole body becomes an
    /// entry, `Fn::Map` within the `Fn::Merge` that it needs there.
    pub(super) fn members_of_body(&mut self, body: NodeId) -> Vec<Entry> {
        let (function, argument) = match self.tree.view(body) {
            View::Map => return self.tree.entries(body).collect(),
            View::Call(function, argument) => (function, argument),
            _ => return Vec::new(),
        };
        if function != Function::Known(Known::Map) {
            return vec![Entry { key: self.tree.call_name(body), value: argument }];
        }
        let origin = Origin::Generated(body, self.tree.frame_of(body));
        let key = self.tree.key(Known::Merge.long(), Style::Plain, origin);
        let value = self.tree.list(&[body], Style::Plain, origin);
        vec![Entry { key, value }]
    }
}
