//! Interned contexts of nodes.

use std::ops::Range;

use formwork_base::{FrameKind, Span};

use super::{NodeId, Symbol};

/// A chain of contexts, outermost last; [`FrameId::NONE`] is the empty chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FrameId(u32);

impl FrameId {
    /// The empty chain.
    pub const NONE: FrameId = FrameId(0);

    pub(super) fn number(self) -> u32 {
        self.0
    }

    pub(super) fn from_number(number: u32) -> FrameId {
        FrameId(number)
    }

    /// Returns `true` for the empty chain.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A link of a chain of contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameRecord {
    /// The context around this one.
    pub parent: FrameId,
    /// The kind of the context.
    pub kind: FrameKind,
    /// The key of the loop or import, or the alias.
    pub site: Span,
    /// Identifier, name of the import, or name of the anchor.
    pub name: Symbol,
    /// Name of the loop, for loops.
    pub loop_name: Symbol,
    /// The item, when it is a node of the tree.
    pub value: Option<NodeId>,
    /// Zero-based number of the iteration.
    pub index: u32,
    /// Name of the variable for the number of the iteration or the item's key, in an `Fn::Map`, with its value if
    /// something refers to it.
    pub position: Option<(Symbol, Option<NodeId>)>,
    /// The place of the item.
    pub item: Span,
}

impl FrameRecord {
    /// Returns a context that is not an iteration.
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

/// The table of contexts of a tree. The common part of the contexts of one place in the source is mostly stored once.
#[derive(Clone, Debug)]
pub struct Frames {
    links: Vec<Link>,
    sites: Vec<Site>,
    /// Numbers of sites that are likely to be used again, by their starts.
    recent: [u32; RECENT],
}

/// A power of two.
const RECENT: usize = 64;

/// The own part of a context, 28 bytes.
#[derive(Clone, Copy, Debug)]
struct Link {
    parent: FrameId,
    site: u32,
    index: u32,
    value: Option<NodeId>,
    position: Option<NodeId>,
    item: Span,
}

/// The common part of contexts: of the iterations of a loop, or of those of a place in the body of a loop or module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Site {
    kind: FrameKind,
    span: Span,
    name: Symbol,
    loop_name: Symbol,
    position: Option<Symbol>,
}

const _: () = assert!(size_of::<Link>() == 28);

impl Default for Frames {
    fn default() -> Frames {
        Frames { links: Vec::new(), sites: Vec::new(), recent: [0; RECENT] }
    }
}

impl Frames {
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn reserve(&mut self, count: usize) {
        self.links.reserve(count);
    }

    /// Returns links by the numbers of the links before them.
    pub(super) fn range(&self, range: Range<usize>) -> impl Iterator<Item = FrameRecord> {
        self.links[range].iter().map(|link| self.record(link))
    }

    /// Adds a link to a chain.
    pub fn push(&mut self, record: FrameRecord) -> FrameId {
        let FrameRecord { parent, kind, site: span, name, loop_name, value, index, position, item } = record;
        let site = self.site(Site { kind, span, name, loop_name, position: position.map(|(name, _)| name) });
        let position = position.and_then(|(_, value)| value);
        self.links.push(Link { parent, site, index, value, position, item });
        FrameId(self.links.len() as u32)
    }

    /// Returns the index of a site, which is added unless it was used recently.
    #[inline]
    fn site(&mut self, site: Site) -> u32 {
        let recent = &mut self.recent[site.span.start() as usize % RECENT];
        if self.sites.get(*recent as usize) != Some(&site) {
            *recent = self.sites.len() as u32;
            self.sites.push(site);
        }
        *recent
    }

    #[inline]
    fn record(&self, link: &Link) -> FrameRecord {
        let Site { kind, span: site, name, loop_name, position } = self.sites[link.site as usize];
        let Link { parent, value, index, item, .. } = *link;
        let position = position.map(|name| (name, link.position));
        FrameRecord { parent, kind, site, name, loop_name, value, index, position, item }
    }

    /// Returns every link, in the order in which they were added.
    pub fn records(&self) -> impl Iterator<Item = FrameRecord> {
        self.range(0..self.len())
    }

    /// Returns the innermost link of a chain.
    #[inline]
    pub fn get(&self, frame: FrameId) -> Option<FrameRecord> {
        (frame.0 as usize).checked_sub(1).map(|at| self.record(&self.links[at]))
    }

    /// Returns the links of a chain, innermost first.
    pub fn chain(&self, frame: FrameId) -> impl Iterator<Item = (FrameId, FrameRecord)> {
        let mut next = frame;
        std::iter::from_fn(move || {
            let record = self.get(next)?;
            let at = next;
            next = record.parent;
            Some((at, record))
        })
    }

    /// Returns the number of iterations of the loop of `one`, in the context around it.
    pub fn iterations(&self, one: &FrameRecord) -> u32 {
        let same = |record: &FrameRecord| {
            record.kind == FrameKind::Loop && record.site == one.site && record.parent == one.parent
        };
        self.records().filter(same).map(|record| record.index + 1).max().unwrap_or(0)
    }

    /// Returns `true` when a chain does not contain the loops and modules around it: its outermost link is an alias, or
    /// the value of a parameter that was inserted.
    pub fn is_relative(&self, frame: FrameId) -> bool {
        let outermost = self.chain(frame).last();
        outermost
            .is_some_and(|(_, record)| !matches!(record.kind, FrameKind::Loop | FrameKind::Module | FrameKind::Package))
    }

    /// Returns the chain `own` inside the chain `outer`: itself, unless it is relative.
    pub fn join(&mut self, outer: FrameId, own: FrameId) -> FrameId {
        if outer.is_none() || own.is_none() || !self.is_relative(own) {
            return if own.is_none() { outer } else { own };
        }
        let mut links: Vec<FrameRecord> = self.chain(own).map(|(_, record)| record).collect();
        let mut joined = outer;
        while let Some(link) = links.pop() {
            joined = self.push(FrameRecord { parent: joined, ..link });
        }
        joined
    }

    /// Returns the link of a chain whose site is `site`, if it has one.
    pub fn at_site(&self, frame: FrameId, site: Span) -> Option<FrameId> {
        self.chain(frame).find(|(_, record)| record.site == site).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(parent: FrameId, site: u32, index: u32) -> FrameRecord {
        let position = Some((Symbol(2), (index > 0).then(|| NodeId::new(index as usize))));
        let (value, item) = (Some(NodeId::new(site as usize)), Span::new(1, 1 + index));
        let record = FrameRecord::new(parent, FrameKind::Loop, Span::new(site, site + 1), Symbol(1));
        FrameRecord { value, index, position, item, ..record }
    }

    #[test]
    fn contexts_of_one_place_share_what_they_have_in_common() {
        let mut frames = Frames::default();
        let mut records = Vec::new();
        // The last place is looked up where the first one is.
        for outer in 0..20 {
            let record = iteration(FrameId::NONE, 8, outer);
            let parent = frames.push(record);
            records.push(record);
            for (site, index) in [(9, 0), (9, 1), (8 + RECENT as u32, 0)] {
                let record = iteration(parent, site, index);
                let frame = frames.push(record);
                assert_eq!(frames.get(frame), Some(record));
                records.push(record);
            }
        }
        assert!(frames.records().eq(records));
        assert!(frames.sites.len() <= 1 + 2 * 20, "{}", frames.sites.len());
    }
}
