//! Methods that add nodes to a tree.

use std::slice::SliceIndex;

use formwork_base::Span;

use super::node::flags::{
    ALIAS, COMPUTED, HAS_ALIAS, HAS_CALL, HAS_CONSTRUCT, HAS_LOOP, HAS_LOST, HAS_MIXED, HAS_NULL, HAS_OTHER,
    HAS_PLACED, HAS_PLACEHOLDER, HAS_TRANSFORM, INHERITED, MADE,
};
use super::placeholder::has_placeholder;
use super::read::function_code;
use super::{Entry, FrameId, Kind, Node, NodeId, Origin, Style, Symbol, Tree, symbol};
use crate::function::{self, Function, Known};

impl Tree {
    /// Reserves memory for the nodes of a file with this number of bytes; in an empty tree also for those that the
    /// stages add to a small template. Unused memory costs address space only.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        const MORE: usize = 256;
        let more = if self.node_count() == 0 { MORE } else { 0 };
        self.text.reserve(bytes / 2 + 4 * more);
        self.nodes.reserve(bytes / 16 + more);
        self.links.reserve(bytes / 16 + more);
    }

    /// Reserves memory for the nodes of a number of iterations, so that large tables grow without being copied.
    pub fn reserve_copies(&mut self, iterations: u64) {
        const FEW: u64 = 256;
        const ROOM: usize = 1 << 18;
        if iterations > FEW {
            self.text.reserve(ROOM);
            self.nodes.reserve(ROOM / size_of::<Node>());
            self.links.reserve(ROOM / size_of::<NodeId>());
            let iterations = usize::try_from(iterations).unwrap_or(ROOM).min(ROOM);
            // Outer loops have contexts, too.
            self.frames.reserve(iterations + iterations / 2);
            self.symbols.reserve(iterations);
        }
    }

    fn push(&mut self, mut node: Node, origin: Origin) -> NodeId {
        match origin {
            Origin::Authored(span) => {
                node.p = span.start();
                node.q = span.end();
            }
            Origin::Generated(from, frame) => {
                node.flags |= MADE;
                self.has_generated = true;
                node.p = self.authored(from).index() as u32;
                node.q = frame.number();
            }
        }
        self.nodes.push(node);
        NodeId::new(self.nodes.len() - 1)
    }

    /// Adds a scalar with its decoded text.
    pub fn scalar(&mut self, kind: Kind, style: Style, text: &str, origin: Origin) -> NodeId {
        let a = self.text.len() as u32;
        self.text.push_str(text);
        let mut flags = match kind {
            Kind::Null => HAS_NULL,
            Kind::String if has_placeholder(text) => HAS_PLACEHOLDER,
            _ => 0,
        };
        if matches!(origin, Origin::Generated(..)) {
            flags |= COMPUTED;
        }
        self.push(Node { kind, style, flags, a, b: text.len() as u32, p: 0, q: 0 }, origin)
    }

    /// Adds a string that a stage computed.
    pub fn computed(&mut self, text: &str, origin: Origin) -> NodeId {
        self.scalar(Kind::String, Style::Plain, text, origin)
    }

    /// Adds a part of a string that a stage computed, which shares its text.
    ///
    /// # Panics
    /// When `range` is not a range of characters of the string.
    pub fn part(&mut self, string: NodeId, range: impl SliceIndex<str, Output = str>, origin: Origin) -> NodeId {
        let whole = &self.nodes[string.index()];
        let (whole_at, text) = (whole.a, self.text(string));
        let part = &text[range];
        let a = whole_at + (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let may_hold = whole.flags & HAS_PLACEHOLDER != 0;
        let flags = COMPUTED | if may_hold && has_placeholder(part) { HAS_PLACEHOLDER } else { 0 };
        let b = part.len() as u32;
        self.push(Node { kind: Kind::String, style: Style::Plain, flags, a, b, p: 0, q: 0 }, origin)
    }

    /// Adds a key.
    pub fn key(&mut self, text: &str, style: Style, origin: Origin) -> NodeId {
        let symbol = self.symbols.intern(text);
        self.note_key(symbol);
        let mut flags = match self.key_flags.get(symbol.number()) {
            Some(&Some(flags)) => flags,
            _ => self.new_key_flags(symbol),
        };
        if matches!(origin, Origin::Generated(..)) {
            flags |= COMPUTED;
        }
        self.push(Node { kind: Kind::Key, style, flags, a: symbol.0, b: 0, p: 0, q: 0 }, origin)
    }

    fn new_key_flags(&mut self, symbol: Symbol) -> u16 {
        let text = self.symbols.text(symbol);
        let mut flags = if has_placeholder(text) { HAS_PLACEHOLDER } else { 0 };
        flags |= match symbol {
            symbol::FN_MAP | symbol::FN_MERGE => HAS_LOOP,
            symbol::FN_TRANSFORM => HAS_TRANSFORM,
            _ if function::loop_name(text).is_some() => HAS_LOOP,
            _ => 0,
        };
        flags |= if Known::from_long(text).is_some() { HAS_MIXED } else { 0 };
        if self.key_flags.len() <= symbol.number() {
            self.key_flags.resize(self.symbols.count(), None);
        }
        self.key_flags[symbol.number()] = Some(flags);
        flags
    }

    pub(super) fn note_key(&mut self, symbol: Symbol) {
        self.key_bytes += self.symbols.len(symbol);
        self.well_known_keys |= 1_u64.checked_shl(symbol.0).unwrap_or(0);
    }

    /// Adds a list.
    pub fn list(&mut self, items: &[NodeId], style: Style, origin: Origin) -> NodeId {
        let a = self.links.len() as u32;
        let mut flags = 0;
        for &item in items {
            flags |= self.flags_of(item) & INHERITED;
        }
        self.links.extend_from_slice(items);
        self.push(Node { kind: Kind::List, style, flags, a, b: items.len() as u32, p: 0, q: 0 }, origin)
    }

    /// Adds a mapping. The keys are nodes of kind [`Kind::Key`].
    pub fn map(&mut self, entries: &[Entry], style: Style, origin: Origin) -> NodeId {
        let a = self.links.len() as u32;
        let mut flags = 0;
        self.links.reserve(2 * entries.len());
        let of_key = if entries.len() > 1 { INHERITED } else { INHERITED & !HAS_MIXED };
        for &Entry { key, value } in entries {
            flags |= self.flags_of(key) & of_key | self.flags_of(value) & INHERITED;
            self.links.extend_from_slice(&[key, value]);
        }
        if let &[Entry { key, value }] = entries
            && self.symbol(key) == symbol::CONDITION
            && self.kind(value) == Kind::Call
        {
            flags |= HAS_PLACED;
        }
        self.push(Node { kind: Kind::Map, style, flags, a, b: entries.len() as u32, p: 0, q: 0 }, origin)
    }

    /// Adds a call. `name` is the key node with the written name of the function.
    pub fn add_call(
        &mut self,
        function: Function,
        name: NodeId,
        argument: NodeId,
        style: Style,
        origin: Origin,
    ) -> NodeId {
        let argument = if function == Function::Known(Known::Sub) { self.with_variables(argument) } else { argument };
        let a = self.links.len() as u32;
        let mut flags = HAS_CALL | self.flags_of(argument) & INHERITED;
        if self.is_extension(function, argument) {
            flags |= HAS_CONSTRUCT;
        }
        if let Function::Known(known) = function {
            self.calls_modules |= known.is_of_modules();
        }
        let is_worked_off = match function {
            Function::Known(Known::Ref) => self.symbol(name) == symbol::FN_REF,
            Function::Known(known) => known.is_local(),
            Function::Other(_) => false,
        };
        if is_worked_off {
            flags |= HAS_LOOP;
        }
        flags |= match function {
            Function::Known(Known::Transform) => HAS_TRANSFORM,
            Function::Known(Known::ImportValue | Known::GetStackOutput | Known::GetAZs) => HAS_PLACED,
            Function::Known(Known::If)
                if self.items(argument).first().is_some_and(|&condition| self.kind(condition) == Kind::Call) =>
            {
                HAS_PLACED
            }
            Function::Known(Known::Condition) if self.kind(argument) == Kind::Call => HAS_PLACED,
            Function::Known(_) => 0,
            Function::Other(_) => HAS_OTHER,
        };
        self.links.push(name);
        self.links.push(argument);
        self.push(Node { kind: Kind::Call, style, flags, a, b: function_code(function), p: 0, q: 0 }, origin)
    }

    /// Returns the argument of an `Fn::Sub`, its second element a mapping of variables even if it looks like a call:
    /// `{"Ref": "abc"}` is a variable named `Ref` (reference/functions.md#sub).
    fn with_variables(&mut self, argument: NodeId) -> NodeId {
        let &[text, variables] = self.items(argument) else { return argument };
        if self.kind(variables) != Kind::Call || self.is_alias(variables) || self.is_alias(argument) {
            return argument;
        }
        let entry = Entry { key: self.call_name(variables), value: self.call(variables).1 };
        // A short tag is the same object to CloudFormation; the map that is re-created has its long name.
        let style = if self.style(variables) == Style::Tag { Style::Flow } else { self.style(variables) };
        let map = self.map(&[entry], style, self.origin(variables));
        if self.has(variables, HAS_LOST) {
            let lost: Vec<Entry> = self.lost_of(variables).collect();
            self.set_lost(map, lost);
        }
        let list = self.list(&[text, map], self.style(argument), self.origin(argument));
        for (from, to) in [(variables, map), (argument, list)] {
            if let Some(anchor) = self.anchor(from) {
                self.set_anchor(to, anchor);
            }
        }
        list
    }

    /// Returns `true` for a call that plain CloudFormation does not have: `Fn::Length`, `Fn::ToJsonString`,
    /// `Fn::FindInMap` with a default or with functions other than `Ref` and `Fn::FindInMap` in its keys, functions
    /// inside `Ref` and inside `Fn::GetAtt`, where a `Ref` as the attribute is plain (reference/values.md#modes).
    fn is_extension(&self, function: Function, argument: NodeId) -> bool {
        let is_call = |node: NodeId| self.kind(node) == Kind::Call;
        let is_ref = |node: NodeId| self.argument_of(node, Known::Ref).is_some();
        match function {
            Function::Known(Known::Length | Known::ToJsonString) => true,
            Function::Known(Known::Ref) => is_call(argument),
            Function::Known(Known::GetAtt) => match self.items(argument) {
                [] => is_call(argument),
                [name, rest @ ..] => is_call(*name) || rest.iter().any(|&node| is_call(node) && !is_ref(node)),
            },
            Function::Known(Known::FindInMap) => {
                let items = self.items(argument);
                let is_map_call = |node| self.argument_of(node, Known::FindInMap).is_some();
                items.len() > 3 || items.iter().any(|&key| is_call(key) && !is_ref(key) && !is_map_call(key))
            }
            _ => false,
        }
    }

    /// Returns `true` for a call that plain CloudFormation does not have.
    pub fn is_construct(&self, id: NodeId) -> bool {
        self.kind(id) == Kind::Call && self.has(id, HAS_CONSTRUCT) && {
            let (function, argument) = self.call(id);
            self.is_extension(function, argument)
        }
    }

    /// Adds a call with the spelling of `like` and another argument, in place of `like`. A number or Boolean becomes a
    /// string: after a short tag every scalar is one, and all spellings have one value.
    pub fn call_like(&mut self, like: NodeId, argument: NodeId, frame: FrameId) -> NodeId {
        let (function, authored) = self.call(like);
        let is_typed = argument != authored && matches!(self.kind(argument), Kind::Number | Kind::Bool);
        let argument = if is_typed {
            let text = self.text_form(argument).to_owned();
            self.computed(&text, Origin::Generated(argument, self.frame_of(argument)))
        } else {
            argument
        };
        let (name, style) = (self.call_name(like), self.style(like));
        self.add_call(function, name, argument, style, Origin::Generated(like, frame))
    }

    /// Returns the node with other nodes directly below it, as many as [`Tree::children`] returns: a node in its place
    /// that is generated in `frame`, or the node itself when they are the same.
    pub fn with_children(&mut self, node: NodeId, children: &[NodeId], frame: FrameId) -> NodeId {
        if self.child_nodes(node).eq(children.iter().copied()) {
            return node;
        }
        let (style, origin) = (self.style(node), Origin::Generated(node, frame));
        match self.kind(node) {
            Kind::List => self.list(children, style, origin),
            Kind::Map => {
                let entries: Vec<Entry> =
                    self.entries(node).zip(children).map(|(entry, &value)| Entry { key: entry.key, value }).collect();
                self.map(&entries, style, origin)
            }
            Kind::Call => match children {
                &[argument] => self.call_like(node, argument, frame),
                _ => node,
            },
            _ => node,
        }
    }

    /// Returns the mapping with another value for the key with this name, if it has one.
    pub fn with_member(&mut self, map: NodeId, name: Symbol, value: NodeId) -> NodeId {
        let values = self.entries(map).map(|entry| if self.symbol(entry.key) == name { value } else { entry.value });
        let values: Vec<NodeId> = values.collect();
        self.with_children(map, &values, FrameId::NONE)
    }

    /// Adds a node with the same data as `value` that replaces `from`. Nothing below it is copied. Scalars count as
    /// computed: they are not copied from the source.
    pub fn stand_in(&mut self, value: NodeId, from: NodeId, frame: FrameId) -> NodeId {
        let mut node = self.nodes[value.index()];
        node.flags &= !(MADE | ALIAS);
        if !matches!(node.kind, Kind::List | Kind::Map | Kind::Call) {
            node.flags |= COMPUTED;
        }
        self.push(node, Origin::Generated(from, frame))
    }

    /// Adds the value of an alias: a node with the data of `target`, marked as an alias.
    pub(crate) fn alias(&mut self, target: NodeId, frame: FrameId) -> NodeId {
        let mut node = self.nodes[target.index()];
        node.flags |= ALIAS | HAS_ALIAS;
        self.push(node, Origin::Generated(target, frame))
    }

    pub(crate) fn set_merges(&mut self, map: NodeId, merges: Vec<Entry>) {
        if !merges.is_empty() {
            self.merges.insert(map, merges);
        }
    }

    pub(crate) fn set_anchor(&mut self, id: NodeId, span: Span) {
        self.anchors.insert(id, span);
    }
}
