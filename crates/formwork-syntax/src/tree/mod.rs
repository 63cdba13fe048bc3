//! The value tree.
//!
//! One append-only arena serves every stage. A node is 20 bytes: kind, style, flags, two numbers for its content, two
//! for its origin. Lists and mappings are ranges in one table of links, strings are ranges in one buffer, keys are
//! interned symbols. A call, `!Sub x`, `Fn::Sub: x` or `{"Fn::Sub": "x"}`, is one kind of node whatever its spelling.
//! Nodes never change: a rewrite adds new nodes that point at unchanged subtrees, so copies of a loop body share
//! everything that does not depend on the loop's variable. Ids mean nothing without their tree.
//!
//! A node is either *authored*, with a span of source text, or *generated*: then it has the authored node that it
//! replaces, and the **frame** in which it was generated. A frame is a link of a chain of contexts: an iteration, the
//! value of a parameter, an alias, an import of a module. Frames are interned in the tree. Those of aliases and
//! arguments are relative: they are joined to the frames around them when the tree is walked ([`Frames::join`]).
//!
//! Flags are inherited from children: a call, a null, a placeholder, a loop, an alias, or a construct that plain
//! CloudFormation does not have sets a flag of all nodes around it ([`flags`]). Stages skip nodes without work for
//! them, so that a plain template costs little more than reading and writing it.

mod build;
mod contexts;
mod frames;
mod graft;
mod key_index;
mod measure;
mod node;
mod node_set;
mod placeholder;
mod read;
mod repeat;
mod rewind;
pub mod rewritten;
pub mod symbol;

pub use frames::{FrameId, FrameRecord, Frames};
pub use graft::Extent;
pub use measure::Size;
pub use node::{Entry, Kind, Node, NodeId, Style, flags};
pub use node_set::NodeSet;
pub use placeholder::has_placeholder;
pub use read::{Origin, View};
pub use repeat::Pattern;
pub use symbol::{Interner, Symbol};

use formwork_base::{IdMap, Span};

/// The arena of a session. See the module's documentation.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    links: Vec<NodeId>,
    text: String,
    symbols: Interner,
    /// The flags of keys by symbol; `None` for symbols without keys.
    key_flags: Vec<Option<u16>>,
    key_bytes: u64,
    /// A bit for each of the first 64 symbols that is a key.
    well_known_keys: u64,
    /// Set when a node was generated: it may share the nodes below another one.
    has_generated: bool,
    frames: Frames,
    sizes: measure::Sizes,
    key_index: key_index::KeyIndex,
    /// Spans of anchors (`&name`), by their nodes: the writer leaves them out.
    anchors: IdMap<NodeId, Span>,
    merges: IdMap<NodeId, Vec<Entry>>,
    /// Entries of mappings that a later one of the same name replaced, with the node of the mapping. Nodes are in
    /// ascending order.
    lost: Vec<(NodeId, Entry)>,
    calls_modules: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// Returns an empty tree.
    pub fn new() -> Tree {
        Tree {
            // Node 0 is never used, so that ids fit where zero means none.
            nodes: vec![Node::UNUSED],
            links: Vec::new(),
            text: String::new(),
            symbols: Interner::new(),
            key_flags: Vec::new(),
            key_bytes: 0,
            well_known_keys: 0,
            has_generated: false,
            frames: Frames::default(),
            sizes: measure::Sizes::default(),
            key_index: key_index::KeyIndex::default(),
            anchors: IdMap::default(),
            merges: IdMap::default(),
            lost: Vec::new(),
            calls_modules: false,
        }
    }

    /// Returns `true` when a function of the module language was called anywhere (see
    /// [`crate::function::Known::is_of_modules`]).
    pub fn calls_modules(&self) -> bool {
        self.calls_modules
    }

    /// Returns the entries of mappings that a later one of the same name replaced. They are in no mapping of the tree;
    /// reports point at them.
    pub fn lost(&self) -> impl Iterator<Item = Entry> + Clone + '_ {
        self.lost.iter().map(|&(_, entry)| entry)
    }

    /// Returns the replaced entries of one authored mapping or call (see [`Tree::lost`]).
    pub fn lost_of(&self, node: NodeId) -> impl Iterator<Item = Entry> + '_ {
        let first = self.lost.partition_point(|(owner, _)| *owner < node);
        self.lost[first..].iter().take_while(move |(owner, _)| *owner == node).map(|&(_, entry)| entry)
    }

    /// Stores the replaced entries of the mapping or call that was read last.
    pub(crate) fn set_lost(&mut self, node: NodeId, lost: impl IntoIterator<Item = Entry>) {
        let before = self.lost.len();
        self.lost.extend(lost.into_iter().map(|entry| (node, entry)));
        if self.lost.len() > before {
            self.nodes[node.index()].flags |= flags::HAS_LOST;
        }
    }

    /// Marks a root whose text has the layout of new JSON.
    pub(crate) fn set_in_lines(&mut self, root: NodeId) {
        self.nodes[root.index()].flags |= flags::IN_LINES;
    }

    /// Frees unused capacity: the parsed tree of a file does not grow.
    pub(crate) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.links.shrink_to_fit();
        self.text.shrink_to_fit();
        self.lost.shrink_to_fit();
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns the node with this number (see [`NodeId::index`]).
    pub fn node(&self, number: u32) -> Option<NodeId> {
        (number > 0 && (number as usize) < self.nodes.len()).then(|| NodeId::new(number as usize))
    }

    /// Returns the bytes of all strings.
    pub fn text_bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the table of contexts.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Returns the table of contexts for additions.
    pub fn frames_mut(&mut self) -> &mut Frames {
        &mut self.frames
    }

    /// Returns the table of names.
    pub fn symbols(&self) -> &Interner {
        &self.symbols
    }

    /// Returns the symbol of a string, which is added when it is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        self.symbols.intern(text)
    }

    /// Returns the string of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }
}
