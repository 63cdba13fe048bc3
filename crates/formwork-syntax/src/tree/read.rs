//! Reading a tree.

use formwork_base::Span;

use super::node::flags::{ALIAS, COMPUTED, HAS_LOOP, MADE};
use super::{Entry, FrameId, Kind, NodeId, Style, Symbol, Tree, members};
use crate::function::{Function, Known};

/// Set in the `b` of a call whose function Formwork does not know; the rest is its symbol.
pub(super) const OTHER_FUNCTION: u32 = 1 << 31;

/// A node by what it is.
#[derive(Clone, Copy, Debug)]
pub enum View<'t> {
    /// Null.
    Null,
    /// Boolean.
    Bool(bool),
    /// Number, by its written text.
    Number(&'t str),
    /// Text.
    String(&'t str),
    /// Items.
    List(&'t [NodeId]),
    /// Entries; walk them with [`Tree::entries`].
    Map,
    /// A function and its argument.
    Call(Function, NodeId),
}

/// Where a node comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Written by an author, at this span.
    Authored(Span),
    /// Made by a stage in the place of an authored node, in a context.
    Generated(NodeId, FrameId),
}

impl Tree {
    /// What the node is.
    #[inline]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    /// How it is written.
    #[inline]
    pub fn style(&self, id: NodeId) -> Style {
        self.nodes[id.index()].style
    }

    /// Whether any of these marks (see [`super::flags`]) is set.
    #[inline]
    pub fn has(&self, id: NodeId, flags: u16) -> bool {
        self.nodes[id.index()].flags & flags != 0
    }

    #[inline]
    pub(super) fn flags_of(&self, id: NodeId) -> u16 {
        self.nodes[id.index()].flags
    }

    /// The node by what it is. A key is a string.
    #[inline]
    pub fn view(&self, id: NodeId) -> View<'_> {
        match self.kind(id) {
            Kind::Null => View::Null,
            Kind::Bool => View::Bool(self.truth(id)),
            Kind::Number => View::Number(self.text(id)),
            Kind::String | Kind::Key => View::String(self.text(id)),
            Kind::List => View::List(self.items(id)),
            Kind::Map => View::Map,
            Kind::Call => {
                let (function, argument) = self.call(id);
                View::Call(function, argument)
            }
        }
    }

    /// String of a scalar or key; empty for collections and calls. Numbers and Booleans have
    /// their written text.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = &self.nodes[id.index()];
        match node.kind {
            Kind::Key => self.symbols.text(Symbol(node.a)),
            Kind::List | Kind::Map | Kind::Call => "",
            _ => &self.text[node.a as usize..(node.a + node.b) as usize],
        }
    }

    /// Text of a node of kind [`Kind::String`].
    #[inline]
    pub fn string(&self, id: NodeId) -> Option<&str> {
        (self.kind(id) == Kind::String).then(|| self.text(id))
    }

    /// String of a scalar as functions join and compare it: Booleans as `true` and `false`,
    /// numbers by their source text (reference/functions.md#text).
    pub fn text_form(&self, id: NodeId) -> &str {
        match self.kind(id) {
            Kind::Bool if self.truth(id) => "true",
            Kind::Bool => "false",
            _ => self.text(id),
        }
    }

    /// Whether the node is a string, a number or a Boolean.
    #[inline]
    pub fn is_scalar(&self, id: NodeId) -> bool {
        matches!(self.kind(id), Kind::String | Kind::Number | Kind::Bool)
    }

    /// Whether the node is a list, a map or a call.
    #[inline]
    pub fn is_collection(&self, id: NodeId) -> bool {
        matches!(self.kind(id), Kind::List | Kind::Map | Kind::Call)
    }

    fn truth(&self, id: NodeId) -> bool {
        crate::scalar::truth(self.text(id)).unwrap_or(false)
    }

    /// The name of the loop that a key declares ([`crate::function::loop_name`]).
    #[inline]
    pub fn loop_name(&self, key: NodeId) -> Option<&str> {
        if self.has(key, HAS_LOOP) { crate::function::loop_name(self.text(key)) } else { None }
    }

    /// Symbol of a key.
    #[inline]
    pub fn symbol(&self, key: NodeId) -> Symbol {
        debug_assert_eq!(self.kind(key), Kind::Key);
        Symbol(self.nodes[key.index()].a)
    }

    /// Items of a list; none for other nodes.
    #[inline]
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        let node = &self.nodes[id.index()];
        match node.kind {
            Kind::List => &self.links[node.a as usize..(node.a + node.b) as usize],
            _ => &[],
        }
    }

    #[inline]
    fn pairs(&self, id: NodeId) -> &[[NodeId; 2]] {
        let node = &self.nodes[id.index()];
        match node.kind {
            Kind::Map => self.links[node.a as usize..(node.a + 2 * node.b) as usize].as_chunks().0,
            _ => &[],
        }
    }

    /// Entries of a map, in order; none for other nodes.
    #[inline]
    pub fn entries(&self, id: NodeId) -> impl DoubleEndedIterator<Item = Entry> + ExactSizeIterator {
        self.pairs(id).iter().map(|&[key, value]| Entry { key, value })
    }

    /// Entries of an object in a document that knows no functions, such as account data: what was
    /// read as a call is an object with one key, named like a function. None for other nodes.
    pub fn data_members(&self, id: NodeId) -> Option<impl Iterator<Item = Entry>> {
        let call = match self.view(id) {
            View::Map => None,
            View::Call(_, value) => Some(Entry { key: self.call_name(id), value }),
            _ => return None,
        };
        Some(self.entries(id).chain(call))
    }

    /// Whether a node is such an object.
    pub fn is_data_object(&self, id: NodeId) -> bool {
        matches!(self.kind(id), Kind::Map | Kind::Call)
    }

    /// The value of a key of such an object.
    pub fn data_member(&self, id: NodeId, name: &str) -> Option<NodeId> {
        match self.view(id) {
            View::Map => self.get_text(id, name),
            View::Call(_, value) => (self.name(self.symbol(self.call_name(id))) == name).then_some(value),
            _ => None,
        }
    }

    /// Number of entries of a map or of elements of a list.
    #[inline]
    pub fn len(&self, id: NodeId) -> usize {
        match self.kind(id) {
            Kind::List | Kind::Map => self.nodes[id.index()].b as usize,
            _ => 0,
        }
    }

    /// Whether a map or list has nothing in it.
    #[inline]
    pub fn is_empty(&self, id: NodeId) -> bool {
        self.len(id) == 0
    }

    /// Entry number `at` of a map.
    #[inline]
    pub fn entry(&self, id: NodeId, at: usize) -> Entry {
        let [key, value] = self.pairs(id)[at];
        Entry { key, value }
    }

    /// Which entry of a map has this key; the last one when a broken file repeats it.
    pub fn position(&self, id: NodeId, name: Symbol) -> Option<usize> {
        let pairs = self.pairs(id);
        if pairs.len() > members::FEW {
            let names = || pairs.iter().map(|&[key, _]| self.symbol(key));
            return self.members.position(self.nodes[id.index()].a, name, names).map(|at| at as usize);
        }
        pairs.iter().rposition(|&[key, _]| self.symbol(key) == name)
    }

    /// The entry of a map with this key; the last one when a broken file repeats it.
    pub fn member(&self, id: NodeId, name: Symbol) -> Option<Entry> {
        self.position(id, name).map(|at| self.entry(id, at))
    }

    /// The value of the key with this name.
    pub fn get(&self, id: NodeId, name: Symbol) -> Option<NodeId> {
        self.member(id, name).map(|entry| entry.value)
    }

    /// The value of the key with this name.
    pub fn get_text(&self, id: NodeId, name: &str) -> Option<NodeId> {
        self.get(id, self.symbols.get(name)?)
    }

    /// Everything directly below a node: elements, keys with their values, a function's name with its
    /// argument.
    pub(crate) fn below(&self, id: NodeId) -> &[NodeId] {
        let node = self.nodes[id.index()];
        let count = match node.kind {
            Kind::List => node.b as usize,
            Kind::Map => node.b as usize * 2,
            Kind::Call => 2,
            _ => return &[],
        };
        &self.links[node.a as usize..][..count]
    }

    /// The nodes directly below: the items of a list, the values of a map, the argument of a call.
    #[inline]
    pub fn child_nodes(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        // What a key or the name of a function is in front of.
        let step = if self.kind(id) == Kind::List { 1 } else { 2 };
        self.below(id).chunks_exact(step).map(move |part| part[step - 1])
    }

    /// The same as a list, to be held while the tree grows.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.child_nodes(id).collect()
    }

    /// Function and argument of a call.
    ///
    /// # Panics
    /// When the node is not a call.
    #[inline]
    pub fn call(&self, id: NodeId) -> (Function, NodeId) {
        let node = &self.nodes[id.index()];
        assert_eq!(node.kind, Kind::Call, "{id:?} is not a call");
        (function(node.b), self.links[node.a as usize + 1])
    }

    /// The node that names the function of a call: the tag or the long spelling's key.
    #[inline]
    pub fn call_name(&self, id: NodeId) -> NodeId {
        self.links[self.nodes[id.index()].a as usize]
    }

    /// The argument, when the node is a call of `known`.
    #[inline]
    pub fn argument_of(&self, id: NodeId, known: Known) -> Option<NodeId> {
        match self.view(id) {
            View::Call(Function::Known(function), argument) if function == known => Some(argument),
            _ => None,
        }
    }

    /// Long name of a function.
    pub fn function_name(&self, function: Function) -> &str {
        match function {
            Function::Known(known) => known.long(),
            Function::Other(symbol) => self.name(symbol),
        }
    }

    /// Bytes of the longest text at or below a node that is a scalar, or an object or list of them.
    pub fn text_bytes_below(&self, id: NodeId) -> u64 {
        match self.kind(id) {
            Kind::List => self.items(id).iter().map(|&item| self.text_bytes_below(item)).max().unwrap_or(0),
            Kind::Map => self.entries(id).map(|entry| self.text_bytes_below(entry.value)).max().unwrap_or(0),
            Kind::Call => 0,
            _ => self.text_form(id).len() as u64,
        }
    }

    /// Where the node comes from.
    #[inline]
    pub fn origin(&self, id: NodeId) -> Origin {
        let node = &self.nodes[id.index()];
        if node.flags & MADE == 0 {
            Origin::Authored(Span::new(node.p, node.q))
        } else {
            Origin::Generated(NodeId::new(node.p as usize), FrameId::from_number(node.q))
        }
    }

    /// The source text that the node is, or that it replaces.
    pub fn span(&self, id: NodeId) -> Span {
        match self.origin(id) {
            Origin::Authored(span) => span,
            Origin::Generated(from, _) => self.span(from),
        }
    }

    /// The authored node that this one replaces; itself when it is authored.
    #[inline]
    pub fn authored(&self, id: NodeId) -> NodeId {
        match self.origin(id) {
            Origin::Authored(_) => id,
            Origin::Generated(from, _) => from,
        }
    }

    /// The context in which the node was made; none when it is authored.
    #[inline]
    pub fn frame_of(&self, id: NodeId) -> FrameId {
        match self.origin(id) {
            Origin::Authored(_) => FrameId::NONE,
            Origin::Generated(_, frame) => frame,
        }
    }

    /// Whether it was made, not written by an author.
    #[inline]
    pub fn is_generated(&self, id: NodeId) -> bool {
        self.has(id, MADE)
    }

    /// Whether it is where an alias or merge key was written.
    #[inline]
    pub fn is_alias(&self, id: NodeId) -> bool {
        self.has(id, ALIAS)
    }

    /// Whether its text was computed and is not copied from the source.
    pub fn is_computed(&self, id: NodeId) -> bool {
        self.has(id, COMPUTED)
    }

    /// Span of the anchor on an authored node.
    pub fn anchor(&self, id: NodeId) -> Option<Span> {
        self.anchors.get(&id).copied()
    }

    /// The merge keys of an authored map; their entries are among its own.
    pub fn merges(&self, map: NodeId) -> &[Entry] {
        self.merges.get(&map).map_or(&[], Vec::as_slice)
    }

    /// The span of the text that stands for the node where it is: that of the alias, when it is one.
    pub fn site(&self, id: NodeId) -> Span {
        if !self.is_alias(id) {
            return self.span(id);
        }
        self.frames.get(self.frame_of(id)).map_or(Span::NONE, |record| record.site)
    }

    /// Spans of all anchors, by position.
    pub fn anchor_spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = self.anchors.values().copied().collect();
        spans.sort_unstable();
        spans
    }

    /// Whether any node has an anchor.
    pub fn has_anchors(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// Whether two nodes may have the same node below them. Without anchors and made nodes none have.
    pub fn may_share(&self) -> bool {
        self.has_generated || self.has_anchors()
    }

    /// Whether any scalar, or key, holds `text`. It may return true when none does, but never false when one does.
    pub fn may_hold(&self, text: &str) -> bool {
        let finder = memchr::memmem::Finder::new(text);
        finder.find(self.text.as_bytes()).is_some() || self.symbols.may_hold(&finder)
    }

    /// Whether any key is `symbol`, one of the first 64 well-known names.
    pub fn has_key(&self, symbol: Symbol) -> bool {
        1_u64.checked_shl(symbol.0).is_none_or(|bit| self.well_known_keys & bit != 0)
    }

    /// Whether two nodes hold the same data: scalars by type and string form, maps by entries in
    /// any order, calls whatever their spelling.
    pub fn same_data(&self, a: NodeId, b: NodeId) -> bool {
        if a == b {
            return true;
        }
        match (self.kind(a), self.kind(b)) {
            (Kind::List, Kind::List) => {
                self.len(a) == self.len(b)
                    && self.items(a).iter().zip(self.items(b)).all(|(&a, &b)| self.same_data(a, b))
            }
            (Kind::Map, Kind::Map) => {
                self.len(a) == self.len(b)
                    && self.entries(a).all(|entry| {
                        self.get(b, self.symbol(entry.key)).is_some_and(|other| self.same_data(entry.value, other))
                    })
            }
            (Kind::Call, Kind::Call) => {
                let ((f, x), (g, y)) = (self.call(a), self.call(b));
                f == g && self.same_data(x, y)
            }
            (k, l) => k == l && self.text_form(a) == self.text_form(b),
        }
    }
}

#[inline]
pub(super) fn function(code: u32) -> Function {
    if code & OTHER_FUNCTION == 0 {
        Function::Known(Known::from_number(code))
    } else {
        Function::Other(Symbol(code & !OTHER_FUNCTION))
    }
}

/// The name in the code of a function that is not a known one.
pub(super) fn code_symbol(code: u32) -> Option<Symbol> {
    (code & OTHER_FUNCTION != 0).then_some(Symbol(code & !OTHER_FUNCTION))
}

pub(super) fn function_code(function: Function) -> u32 {
    match function {
        Function::Known(known) => known as u32,
        Function::Other(symbol) => OTHER_FUNCTION | symbol.0,
    }
}
