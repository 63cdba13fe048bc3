//! Taking what one tree holds of a file into another one.

use formwork_base::IdMap;

use super::node::flags::MADE;
use super::read::{code_symbol, function_code};
use super::{Entry, FrameId, FrameRecord, Kind, Node, NodeId, Symbol, Tree};
use crate::function::Function;

/// How much a tree holds. What lies between two extents of one tree was added in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub(super) nodes: usize,
    pub(super) links: usize,
    pub(super) text: usize,
    pub(super) frames: usize,
    pub(super) lost: usize,
}

/// Numbers of one tree as numbers of another one.
struct Moved<'t> {
    from: &'t Tree,
    to: &'t mut Tree,
    start: Extent,
    /// Where the extent begins in the other tree.
    at: Extent,
    symbols: IdMap<Symbol, Symbol>,
}

impl Tree {
    /// How much the tree holds so far.
    pub fn extent(&self) -> Extent {
        Extent {
            nodes: self.nodes.len(),
            links: self.links.len(),
            text: self.text.len(),
            frames: self.frames.len(),
            lost: self.lost.len(),
        }
    }

    /// Adds what another tree holds between two extents, and returns the copy of `root`, which is there. It
    /// names nothing outside of these extents: it is what a reader made of one file. Spans stay as they are.
    pub fn graft(&mut self, from: &Tree, (start, end): (Extent, Extent), root: NodeId) -> NodeId {
        let at = self.extent();
        self.text.push_str(&from.text[start.text..end.text]);
        let mut moved = Moved { from, to: self, start, at, symbols: IdMap::default() };
        for node in &from.nodes[start.nodes..end.nodes] {
            let node = moved.node(*node);
            moved.to.nodes.push(node);
        }
        for &link in &from.links[start.links..end.links] {
            let link = moved.id(link);
            moved.to.links.push(link);
        }
        for record in from.frames.range(start.frames..end.frames) {
            let record = moved.record(record);
            moved.to.frames.push(record);
        }
        for &(owner, entry) in &from.lost[start.lost..end.lost] {
            let lost = (moved.id(owner), moved.entry(entry));
            moved.to.lost.push(lost);
        }
        let is_inside = |id: NodeId| (start.nodes..end.nodes).contains(&id.index());
        for (&id, &span) in from.anchors.iter().filter(|(id, _)| is_inside(**id)) {
            let id = moved.id(id);
            moved.to.anchors.insert(id, span);
        }
        for (&id, entries) in from.merges.iter().filter(|(id, _)| is_inside(**id)) {
            let (id, entries) = (moved.id(id), entries.iter().map(|&entry| moved.entry(entry)).collect());
            moved.to.merges.insert(id, entries);
        }
        moved.id(root)
    }

    /// Does `work` and returns whether it added a call of a function of the module language.
    pub(crate) fn noting_modules<R>(&mut self, work: impl FnOnce(&mut Tree) -> R) -> (R, bool) {
        let before = std::mem::take(&mut self.calls_modules);
        let result = work(self);
        let has_called = self.calls_modules;
        self.calls_modules |= before;
        (result, has_called)
    }

    /// Remembers that a function of the module language was called.
    pub(crate) fn note_modules(&mut self) {
        self.calls_modules = true;
    }
}

impl Moved<'_> {
    fn id(&self, id: NodeId) -> NodeId {
        NodeId::new(id.index() - self.start.nodes + self.at.nodes)
    }

    fn entry(&self, entry: Entry) -> Entry {
        Entry { key: self.id(entry.key), value: self.id(entry.value) }
    }

    fn frame(&self, frame: FrameId) -> FrameId {
        if frame.is_none() {
            return frame;
        }
        FrameId::from_number(frame.number() - self.start.frames as u32 + self.at.frames as u32)
    }

    fn symbol(&mut self, symbol: Symbol) -> Symbol {
        if let Some(&known) = self.symbols.get(&symbol) {
            return known;
        }
        let own = self.to.intern(self.from.name(symbol));
        self.symbols.insert(symbol, own);
        own
    }

    fn node(&mut self, mut node: Node) -> Node {
        let links = |a: u32| a - self.start.links as u32 + self.at.links as u32;
        match node.kind {
            Kind::Null | Kind::Bool | Kind::Number | Kind::String => {
                node.a = node.a - self.start.text as u32 + self.at.text as u32;
            }
            Kind::List | Kind::Map => node.a = links(node.a),
            Kind::Call => {
                node.a = links(node.a);
                if let Some(symbol) = code_symbol(node.b) {
                    node.b = function_code(Function::Other(self.symbol(symbol)));
                }
            }
            Kind::Key => {
                let symbol = self.symbol(Symbol(node.a));
                node.a = symbol.0;
                self.to.note_key(symbol);
            }
        }
        if node.flags & MADE != 0 {
            self.to.has_generated = true;
            node.p = self.id(NodeId::new(node.p as usize)).index() as u32;
            node.q = self.frame(FrameId::from_number(node.q)).number();
        }
        node
    }

    fn record(&mut self, record: FrameRecord) -> FrameRecord {
        FrameRecord {
            parent: self.frame(record.parent),
            name: self.symbol(record.name),
            loop_name: self.symbol(record.loop_name),
            value: record.value.map(|value| self.id(value)),
            position: record.position.map(|(name, value)| (self.symbol(name), value.map(|value| self.id(value)))),
            ..record
        }
    }
}
