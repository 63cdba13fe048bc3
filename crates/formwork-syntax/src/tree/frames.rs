//! Interned contexts.

use formwork_base::{Frame, FrameKind, Span};

use super::{Kind, NodeId, Symbol, Tree};

/// A chain of contexts, outermost last; [`FrameId::NONE`] is the empty chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FrameId(u32);

impl FrameId {
    /// No context.
    pub const NONE: FrameId = FrameId(0);

    pub(super) fn number(self) -> u32 {
        self.0
    }

    pub(super) fn from_number(number: u32) -> FrameId {
        FrameId(number)
    }

    /// Whether it is the empty chain.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// One link of a chain of contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameRecord {
    /// The context around this one.
    pub parent: FrameId,
    /// What it is.
    pub kind: FrameKind,
    /// The loop's key, the import's key, the alias.
    pub site: Span,
    /// Identifier, import name, anchor name.
    pub name: Symbol,
    /// Name of the loop, for loops.
    pub loop_name: Symbol,
    /// The item, when it is a node of the tree.
    pub value: Option<NodeId>,
    /// Zero-based number of the iteration.
    pub index: u32,
    /// Name of the variable that holds the number of the iteration or the item's key, in an `Fn::Map`, and its
    /// value where something refers to it.
    pub position: Option<(Symbol, Option<NodeId>)>,
    /// The place of the item.
    pub item: Span,
}

impl FrameRecord {
    /// A context that is not an iteration.
    pub fn new(parent: FrameId, kind: FrameKind, site: Span, name: Symbol) -> FrameRecord {
        FrameRecord {
            parent,
            kind,
            site,
            name,
            loop_name: name,
            value: None,
            index: 0,
            position: None,
            item: Span::NONE,
        }
    }
}

/// The table of contexts of a tree.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    records: Vec<FrameRecord>,
}

impl Frames {
    pub(super) fn new() -> Frames {
        Frames::default()
    }

    /// Number of links so far.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Makes room for more links.
    pub(super) fn reserve(&mut self, count: usize) {
        self.records.reserve(count);
    }

    /// Links by the numbers of those before them.
    pub(super) fn range(&self, range: std::ops::Range<usize>) -> &[FrameRecord] {
        &self.records[range]
    }

    /// Adds a link to a chain.
    pub fn push(&mut self, record: FrameRecord) -> FrameId {
        self.records.push(record);
        FrameId(self.records.len() as u32)
    }

    /// Returns every link, in the order in which they were added.
    pub fn records(&self) -> impl Iterator<Item = &FrameRecord> {
        self.records.iter()
    }

    /// The innermost link of a chain.
    pub fn get(&self, frame: FrameId) -> Option<&FrameRecord> {
        (frame.0 as usize).checked_sub(1).map(|at| &self.records[at])
    }

    /// The links of a chain, innermost first.
    pub fn chain(&self, frame: FrameId) -> impl Iterator<Item = (FrameId, &FrameRecord)> {
        let mut next = frame;
        std::iter::from_fn(move || {
            let record = self.get(next)?;
            let at = next;
            next = record.parent;
            Some((at, record))
        })
    }

    /// How many iterations the loop of an iteration has, in the context around it.
    pub fn iterations(&self, one: &FrameRecord) -> u32 {
        let same = |record: &&FrameRecord| {
            record.kind == FrameKind::Loop && record.site == one.site && record.parent == one.parent
        };
        self.records.iter().filter(same).map(|record| record.index + 1).max().unwrap_or(0)
    }

    /// Whether a chain does not show the loops and modules around it: its outermost link is an
    /// alias, or the value of a parameter that was put in.
    pub fn is_relative(&self, frame: FrameId) -> bool {
        let outermost = self.chain(frame).last();
        outermost
            .is_some_and(|(_, record)| !matches!(record.kind, FrameKind::Loop | FrameKind::Module | FrameKind::Package))
    }

    /// The chain `own` inside the chain `outer`: itself, unless it is relative.
    pub fn join(&mut self, outer: FrameId, own: FrameId) -> FrameId {
        if outer.is_none() || own.is_none() || !self.is_relative(own) {
            return if own.is_none() { outer } else { own };
        }
        let mut links: Vec<FrameRecord> = self.chain(own).map(|(_, record)| *record).collect();
        let mut joined = outer;
        while let Some(link) = links.pop() {
            joined = self.push(FrameRecord { parent: joined, ..link });
        }
        joined
    }

    /// The link of a chain whose site is `site`, if there is one.
    pub fn at_site(&self, frame: FrameId, site: Span) -> Option<FrameId> {
        self.chain(frame).find(|(_, record)| record.site == site).map(|(at, _)| at)
    }
}

impl Tree {
    /// A chain of contexts as reports show it, outermost first.
    pub fn frame_chain(&self, frame: FrameId) -> Vec<Frame> {
        let mut chain: Vec<Frame> = self.frames.chain(frame).map(|(_, record)| self.frame(record)).collect();
        chain.reverse();
        chain
    }

    /// One context as reports show it.
    pub fn frame(&self, record: &FrameRecord) -> Frame {
        let is_loop = record.kind == FrameKind::Loop;
        let value = record.value.filter(|&value| !matches!(self.kind(value), Kind::List | Kind::Map | Kind::Call));
        Frame {
            kind: record.kind,
            name: self.name(record.name).to_owned(),
            value: value.map(|value| self.text_form(value).to_owned()),
            index: is_loop.then_some(record.index),
            length: None,
            loop_name: is_loop.then(|| self.name(record.loop_name).to_owned()),
            span: record.site,
            item: record.item,
        }
    }
}
