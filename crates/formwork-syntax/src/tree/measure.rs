//! The size of a tree when it is written: a subtree that several places share counts for each of them.

use super::node::flags::{HAS_ALIAS, MADE};
use super::node::{Kind, NodeId};
use super::{FrameId, NodeSet, Symbol, Tree};

/// What writing a node takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Nodes: values, keys, and the names of functions.
    pub nodes: u64,
    /// Bytes of keys and scalars, with what separates them. White space is not counted.
    pub bytes: u64,
    /// Levels of lists, maps and calls.
    pub depth: u32,
}

/// Collections whose sizes have room at first: those of a small template.
const FIRST: usize = 32;

/// What separates a key or an element from the next: at least a line break or a comma, and a dash or
/// a colon.
const SEPARATOR: u64 = 2;

/// A Boolean is written as `true` or `false`, whatever its source text is.
const TRUTH: u64 = 5;

impl Size {
    #[inline]
    fn add(&mut self, below: Size) {
        self.nodes = self.nodes.saturating_add(below.nodes);
        self.bytes = self.bytes.saturating_add(below.bytes);
        self.depth = self.depth.max(below.depth + 1);
    }

    /// Whether it stays within both bounds.
    pub fn fits(self, nodes: u64, bytes: u64) -> bool {
        self.nodes <= nodes && self.bytes <= bytes
    }
}

/// Sizes of subtrees, each computed once however often it is shared or asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    /// Which of `known` belongs to a collection, counted from 1, by where its links begin, which copies share.
    slots: Vec<u32>,
    known: Vec<Size>,
    /// The node that was walked last, and its size.
    last: Option<(NodeId, Size)>,
}

/// A collection that is being counted.
struct Counted {
    /// Where its links begin, where the next one is, and where they end.
    slot: usize,
    next: usize,
    end: usize,
    /// What was counted so far.
    size: Size,
}

impl Counted {
    fn new(tree: &Tree, node: NodeId) -> Counted {
        let slot = tree.nodes[node.index()].a as usize;
        Counted { slot, next: slot, end: slot + tree.below(node).len(), size: tree.own_size(node) }
    }
}

impl Tree {
    /// The size of a node when it is written, in time linear in the nodes of the tree.
    pub fn size(&mut self, root: NodeId) -> Size {
        let mut sizes = std::mem::take(&mut self.sizes);
        let size = sizes.of(self, root);
        self.sizes = sizes;
        size
    }

    /// The same for a node most of which is not asked for again: less is remembered.
    pub fn size_once(&mut self, root: NodeId) -> Size {
        let mut sizes = std::mem::take(&mut self.sizes);
        let size = sizes.walked(self, root).unwrap_or_else(|| sizes.of(self, root));
        sizes.last = Some((root, size));
        self.sizes = sizes;
        size
    }

    /// Whether a node stays within bounds when it is written.
    ///
    /// # Errors
    /// Its size, the first value in document order that goes beyond a bound, and the context in which
    /// it is.
    pub fn fits(&mut self, root: NodeId, nodes: u64, bytes: u64) -> Result<(), (Size, NodeId, FrameId)> {
        if !self.may_share() && self.stored().fits(nodes, bytes) {
            return Ok(());
        }
        if self.most(root).is_some_and(|size| size.fits(nodes, bytes)) {
            return Ok(());
        }
        let size = self.size(root);
        if size.fits(nodes, bytes) {
            return Ok(());
        }
        let (node, frame) = self.sizes.first_beyond(self, root, nodes, bytes);
        Err((size, node, frame))
    }

    /// More than the size of a node, found by walking through what was generated: everything is stored once, and
    /// what is authored counts again where it is met again. `None` when generated nodes share others to such
    /// a degree that this would take longer than the tree is large.
    fn most(&mut self, root: NodeId) -> Option<Size> {
        let mut sizes = std::mem::take(&mut self.sizes);
        let mut size = self.stored();
        let mut met = NodeSet::default();
        let mut pending = Vec::with_capacity(FIRST);
        pending.push(root);
        let mut left = 2 * self.links.len() + 1;
        while let (Some(node), true) = (pending.pop(), left > 0) {
            if !self.is_generated(node) {
                let is_met = !met.insert(node);
                // Of authored nodes only aliases share something.
                if is_met || self.has(node, HAS_ALIAS) {
                    size.add(sizes.of(self, node));
                }
                continue;
            }
            // What was counted before is not walked again.
            let last = sizes.last.filter(|&(last, _)| last == node).map(|(_, size)| size);
            if let Some(known) = last.or_else(|| sizes.get(self, node)) {
                size.add(known);
                continue;
            }
            let below = self.below(node);
            left = left.saturating_sub(below.len());
            // The scalars of one collection: fewer than 2^32, none longer than that.
            let mut here = self.own_size(node);
            for &child in below {
                let data = &self.nodes[child.index()];
                match data.kind {
                    Kind::List | Kind::Map if data.b > 0 => pending.push(child),
                    Kind::Call => pending.push(child),
                    _ => {
                        here.nodes += 1;
                        here.bytes += self.own_size(child).bytes;
                    }
                }
            }
            size.add(here);
        }
        self.sizes = sizes;
        (left > 0).then_some(size)
    }

    /// Everything that was added, once each: no more is written of a tree that shares nothing.
    fn stored(&self) -> Size {
        let nodes = self.nodes.len() as u64;
        Size { nodes, bytes: self.text.len() as u64 + self.key_bytes + nodes * (SEPARATOR + TRUTH), depth: 0 }
    }

    /// What a node takes without what is below it.
    #[inline]
    fn own_size(&self, node: NodeId) -> Size {
        let data = &self.nodes[node.index()];
        let bytes = match data.kind {
            Kind::List | Kind::Map | Kind::Call => 0,
            Kind::Key => self.symbols.len(Symbol(data.a)),
            Kind::Bool => self.text_form(node).len() as u64,
            _ => u64::from(data.b),
        };
        Size { nodes: 1, bytes: bytes + SEPARATOR, depth: 0 }
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
}

impl Sizes {
    /// The size of a node when it is written. Sizes of what is generated are not remembered: most of it is written once.
    /// `None` when generated nodes share others to such a degree that this would take longer than the tree is large.
    fn walked(&mut self, tree: &Tree, root: NodeId) -> Option<Size> {
        let mut left = 2 * tree.links.len() + 1;
        // Collections that are being counted, each inside the one before.
        let mut outer: Vec<Counted> = Vec::new();
        let mut open = Counted::new(tree, root);
        loop {
            // Scalars of one collection: fewer than 2^32, none longer than that.
            let (mut nodes, mut bytes) = (0, 0);
            let mut below = tree.links[open.next..open.end].iter();
            let made = loop {
                let Some(&child) = below.next() else { break None };
                let data = &tree.nodes[child.index()];
                match data.kind {
                    Kind::List | Kind::Map | Kind::Call if data.flags & MADE != 0 => break Some(child),
                    Kind::List | Kind::Map | Kind::Call => {
                        let size = self.of(tree, child);
                        open.size.add(size);
                    }
                    _ => {
                        nodes += 1;
                        bytes += tree.own_size(child).bytes;
                    }
                }
            };
            open.next = open.end - below.len();
            if nodes > 0 {
                open.size.add(Size { nodes, bytes, depth: 0 });
            }
            if let Some(made) = made {
                outer.push(std::mem::replace(&mut open, Counted::new(tree, made)));
                left = left.checked_sub(open.end - open.next + 1)?;
            } else {
                let Some(next) = outer.pop() else { return Some(open.size) };
                let size = std::mem::replace(&mut open, next).size;
                open.size.add(size);
            }
        }
    }

    /// The size of a node when it is written.
    fn of(&mut self, tree: &Tree, root: NodeId) -> Size {
        if let Some(known) = self.get(tree, root) {
            return known;
        }
        // Collections that are being counted, each inside the one before.
        let mut outer: Vec<Counted> = Vec::new();
        let mut open = Counted::new(tree, root);
        loop {
            let Some(&child) = tree.links.get(open.next).filter(|_| open.next < open.end) else {
                self.note(tree, open.slot, open.size);
                let Some(next) = outer.pop() else { return open.size };
                let size = std::mem::replace(&mut open, next).size;
                open.size.add(size);
                continue;
            };
            open.next += 1;
            let data = &tree.nodes[child.index()];
            if !matches!(data.kind, Kind::List | Kind::Map | Kind::Call) {
                open.size.add(tree.own_size(child));
            } else if let Some(child) = self.get(tree, child) {
                open.size.add(child);
            } else {
                outer.push(std::mem::replace(&mut open, Counted::new(tree, child)));
            }
        }
    }

    fn note(&mut self, tree: &Tree, slot: usize, size: Size) {
        if self.known.is_empty() {
            self.known.reserve(FIRST);
        }
        self.known.push(size);
        // Mostly what is authored is counted: its links are in front of those that were generated.
        if self.slots.len() <= slot {
            if slot < tree.links.len() / 4 {
                self.slots.resize(slot + 1, 0);
            } else {
                // Memory that is zero because it is new is not touched.
                let mut slots = vec![0; tree.links.len().max(2 * self.slots.len())];
                slots[..self.slots.len()].copy_from_slice(&self.slots);
                self.slots = slots;
            }
        }
        self.slots[slot] = self.known.len() as u32;
    }

    /// The size of a node that is known, and of any that has nothing below it.
    fn get(&self, tree: &Tree, node: NodeId) -> Option<Size> {
        if tree.below(node).is_empty() {
            return Some(tree.own_size(node));
        }
        let slot = self.slots.get(tree.nodes[node.index()].a as usize)?.checked_sub(1)?;
        Some(self.known[slot as usize])
    }

    /// The first value in document order with which the tree goes beyond a bound: the outermost one
    /// that is shared, or a scalar.
    fn first_beyond(&self, tree: &Tree, root: NodeId, nodes: u64, bytes: u64) -> (NodeId, FrameId) {
        let mut sum = Size::default();
        let (mut node, mut frame) = (root, FrameId::NONE);
        loop {
            sum.add(tree.own_size(node));
            let crossing = tree.below(node).iter().copied().find(|&child| {
                let mut with = sum;
                with.add(self.get(tree, child).unwrap_or_default());
                let fits = with.fits(nodes, bytes);
                if fits {
                    sum = with;
                }
                !fits
            });
            let Some(child) = crossing else { return (node, frame) };
            // Below a value that replaces another one the authored nodes do not show
            // the place.
            if tree.is_generated(node) && !tree.is_generated(child) && node != root {
                return (node, frame);
            }
            node = child;
            if tree.is_generated(node) && !tree.frame_of(node).is_none() {
                frame = tree.frame_of(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entry, Origin, Style};
    use super::*;
    use formwork_base::Span;

    const AUTHORED: Origin = Origin::Authored(Span::NONE);

    fn text(tree: &mut Tree, text: &str) -> NodeId {
        tree.scalar(Kind::String, Style::Plain, text, AUTHORED)
    }

    #[test]
    fn a_shared_value_counts_wherever_it_stands() {
        let mut tree = Tree::new();
        let word = text(&mut tree, "12345678");
        let shared = tree.list(&[word; 3], Style::Plain, AUTHORED);
        let copy = tree.stand_in(shared, word, FrameId::NONE);
        let root = tree.list(&[shared, copy, shared], Style::Plain, Origin::Generated(word, FrameId::NONE));
        assert_eq!(tree.size(root), Size { nodes: 13, bytes: 4 * 2 + 9 * 10, depth: 2 });
        assert!(tree.fits(root, 13, 98).is_ok());
        assert_eq!(tree.fits(root, 13, 97).map_err(|(size, ..)| size.bytes), Err(98));
    }

    #[test]
    fn sizes_are_kept_while_the_tree_grows() {
        let mut tree = Tree::new();
        let word = text(&mut tree, "1234");
        let empty = tree.list(&[], Style::Plain, AUTHORED);
        let inner = tree.list(&[word, empty], Style::Plain, AUTHORED);
        assert_eq!(tree.size(inner), Size { nodes: 3, bytes: 4 + 3 * 2, depth: 1 });
        let outer = tree.list(&[inner, empty, inner], Style::Plain, AUTHORED);
        assert_eq!(tree.size(outer), Size { nodes: 8, bytes: 2 * 4 + 8 * 2, depth: 2 });
    }

    #[test]
    fn what_is_stored_bounds_what_shares_nothing() {
        let mut tree = Tree::new();
        let key = tree.key("key", Style::Plain, AUTHORED);
        let value = tree.scalar(Kind::Bool, Style::Plain, "no", AUTHORED);
        let root = tree.map(&[Entry { key, value }], Style::Plain, AUTHORED);
        let (size, stored) = (tree.size(root), tree.stored());
        assert_eq!(size, Size { nodes: 3, bytes: 3 + 5 + 3 * 2, depth: 1 });
        assert!(size.nodes <= stored.nodes && size.bytes <= stored.bytes);
        assert!(!tree.may_share());
        tree.stand_in(root, root, FrameId::NONE);
        assert!(tree.may_share());
    }

    #[test]
    fn growth_without_end_is_counted_at_once() {
        let mut tree = Tree::new();
        let mut node = text(&mut tree, "x");
        for _ in 0..100 {
            let key = tree.key("k", Style::Plain, AUTHORED);
            let map = tree.map(&[Entry { key, value: node }], Style::Plain, AUTHORED);
            node = tree.list(&[map; 10], Style::Plain, AUTHORED);
        }
        let size = tree.size(node);
        assert_eq!((size.nodes, size.bytes, size.depth), (u64::MAX, u64::MAX, 200));
        assert_eq!(tree.fits(node, 1000, 1000).map_err(|(size, ..)| size.nodes), Err(u64::MAX));
    }

    #[test]
    fn a_size_that_is_asked_for_once_is_the_same() {
        let mut tree = Tree::new();
        let word = text(&mut tree, "12345678");
        let empty = tree.list(&[], Style::Plain, AUTHORED);
        let shared = tree.list(&[word, empty, word], Style::Plain, AUTHORED);
        let made = Origin::Generated(shared, FrameId::NONE);
        let few = tree.list(&[shared, word, shared, empty], Style::Plain, made);
        let mut node = tree.list(&[few, shared, few], Style::Plain, made);
        let once = tree.size_once(node);
        assert_eq!(once, Size { nodes: 27, bytes: 12 * 8 + 27 * 2, depth: 3 });
        assert_eq!(tree.fits(node, 20, 1000).map_err(|(size, ..)| size), Err(once));
        assert_eq!((tree.size(node), tree.size_once(word)), (once, tree.size(word)));
        for _ in 0..100 {
            node = tree.list(&[node; 10], Style::Plain, made);
        }
        assert_eq!(tree.size_once(node), Size { nodes: u64::MAX, bytes: u64::MAX, depth: 103 });
    }

    #[test]
    fn generated_values_are_counted_wherever_they_are() {
        let mut tree = Tree::new();
        let word = text(&mut tree, "12345678");
        let shared = tree.list(&[word; 3], Style::Plain, AUTHORED);
        let made = Origin::Generated(shared, FrameId::NONE);
        let few = tree.list(&[shared, word, shared], Style::Plain, made);
        for node in [word, shared, few] {
            let (most, size) = (tree.most(node).expect("few nodes"), tree.size(node));
            assert!(most.nodes >= size.nodes && most.bytes >= size.bytes, "{most:?} {size:?}");
            assert!(most.nodes <= size.nodes + tree.stored().nodes, "{most:?} {size:?}");
        }
        let mut node = few;
        for _ in 0..10 {
            node = tree.list(&[node; 10], Style::Plain, made);
        }
        assert_eq!(tree.most(node), None, "in time linear in the nodes of the tree");
        assert!(tree.fits(node, u64::MAX, u64::MAX).is_ok());
        assert!(tree.fits(node, 1 << 30, 1 << 30).is_err());
    }
}
