//! Copying of the nodes of one tree into another.

use formwork_base::{IdMap, Span};

use super::node::flags::MADE;
use super::read::{code_symbol, function_code};
use super::{Entry, FrameId, FrameRecord, Kind, Node, NodeId, Symbol, Tree};
use crate::function::Function;

/// The size of a tree. The nodes between two extents of one tree were added in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub(super) nodes: usize,
    pub(super) links: usize,
    pub(super) text: usize,
    pub(super) frames: usize,
    pub(super) lost: usize,
}

/// The extent of an empty tree, which has one node that is never used.
const START: Extent = Extent { nodes: 1, links: 0, text: 0, frames: 0, lost: 0 };

struct Moved<'t> {
    from: &'t Tree,
    to: &'t mut Tree,
    start: Extent,
    /// The start of the copy in the other tree.
    at: Extent,
    /// Distance of the file from the first position of a run.
    shift: u32,
    symbols: IdMap<Symbol, Symbol>,
}

impl Tree {
    /// Returns the current size of the tree.
    pub fn extent(&self) -> Extent {
        Extent {
            nodes: self.nodes.len(),
            links: self.links.len(),
            text: self.text.len(),
            frames: self.frames.len(),
            lost: self.lost.len(),
        }
    }

    pub(crate) fn is_unused(&self) -> bool {
        self.extent() == START
    }

    /// Adds all nodes of another tree, which a reader created for one file as the first of a run, and returns the copy
    /// of `root`. `shift` is the distance of the file from the first position here.
    pub fn graft(&mut self, from: &Tree, root: NodeId, shift: u32) -> NodeId {
        if self.is_unused() && shift == 0 {
            *self = from.clone();
            return root;
        }
        let (start, at) = (START, self.extent());
        self.text.push_str(&from.text);
        let mut moved = Moved { from, to: self, start, at, shift, symbols: IdMap::default() };
        for node in &from.nodes[start.nodes..] {
            let node = moved.node(*node);
            moved.to.nodes.push(node);
        }
        for &link in &from.links {
            let link = moved.id(link);
            moved.to.links.push(link);
        }
        for record in from.frames.range(start.frames..from.frames.len()) {
            let record = moved.record(record);
            moved.to.frames.push(record);
        }
        for &(owner, entry) in &from.lost {
            let lost = (moved.id(owner), moved.entry(entry));
            moved.to.lost.push(lost);
        }
        let anchors: Vec<_> = from.anchors.iter().map(|(&id, &span)| (moved.id(id), moved.span(span))).collect();
        let merge = |(&id, entries): (&NodeId, &Vec<Entry>)| {
            (moved.id(id), entries.iter().map(|&entry| moved.entry(entry)).collect::<Vec<_>>())
        };
        let merges: Vec<_> = from.merges.iter().map(merge).collect();
        self.anchors.extend(anchors);
        self.merges.extend(merges);
        self.calls_modules |= from.calls_modules;
        moved_id(root, start, at)
    }
}

fn moved_id(id: NodeId, start: Extent, at: Extent) -> NodeId {
    NodeId::new(id.index() - start.nodes + at.nodes)
}

impl Moved<'_> {
    fn id(&self, id: NodeId) -> NodeId {
        moved_id(id, self.start, self.at)
    }

    fn span(&self, span: Span) -> Span {
        span.shifted(self.shift)
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
        } else {
            let span = self.span(Span::new(node.p, node.q));
            (node.p, node.q) = (span.start(), span.end());
        }
        node
    }

    fn record(&mut self, record: FrameRecord) -> FrameRecord {
        FrameRecord {
            parent: self.frame(record.parent),
            name: self.symbol(record.name),
            loop_name: self.symbol(record.loop_name),
            value: record.value.map(|value| self.id(value)),
            site: self.span(record.site),
            item: self.span(record.item),
            position: record.position.map(|(name, value)| (self.symbol(name), value.map(|value| self.id(value)))),
            ..record
        }
    }
}
