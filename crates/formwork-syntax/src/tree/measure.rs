//! Sizes of trees when they are written: a subtree that several places share counts for each of them.

use formwork_base::IdMap;

use super::node::{Kind, Node, NodeId, flags};
use super::{FrameId, Symbol, Tree};

/// The size of a written node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Number of nodes: values, keys, and the names of functions.
    pub nodes: u64,
    /// Bytes of keys and scalars, with their separators. White space is not counted.
    pub bytes: u64,
    /// Number of levels of lists, mappings and calls.
    pub depth: u32,
}

/// Bytes between a key or an element and the next: at least a line break or a comma, and a dash or a colon.
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

    /// Returns `true` when the size is within both bounds.
    pub fn fits(self, nodes: u64, bytes: u64) -> bool {
        self.nodes <= nodes && self.bytes <= bytes
    }
}

/// Sizes of subtrees, each computed once however often it is shared or requested; those of a few nodes are counted
/// again, which is faster than a look-up.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes {
    /// By the start of the links of a collection, which copies share.
    known: IdMap<u32, Size>,
    /// The node whose bound was requested last, with the bound: several stages check the same root.
    bound: Option<(NodeId, Size)>,
}

/// Number of nodes up to which sizes are not stored: of authored nodes, which copies share, and of generated ones, of
/// which loops create many.
const FEW_AUTHORED: u64 = 4;
const FEW_MADE: u64 = 16;

const FEW_PLACES: usize = 50;

const ROOM: usize = 100;

struct Counted {
    slot: usize,
    next: usize,
    end: usize,
    size: Size,
    is_authored: bool,
}

impl Counted {
    fn new(tree: &Tree, node: NodeId) -> Counted {
        let slot = tree.nodes[node.index()].a as usize;
        let end = slot + tree.below(node).len();
        Counted { slot, next: slot, end, size: tree.own_size(node), is_authored: !tree.is_generated(node) }
    }
}

impl Tree {
    /// Returns the size of a node when it is written, in time linear in the nodes of the tree.
    pub fn size(&mut self, root: NodeId) -> Size {
        if let Some(size) = self.visited(root, 0, FEW_PLACES) {
            return size;
        }
        let mut sizes = std::mem::take(&mut self.sizes);
        let size = sizes.of(self, root);
        self.sizes = sizes;
        size
    }

    /// Returns the size of a node that is measured once: the sizes of its parts are not stored.
    pub fn measure(&self, root: NodeId) -> Size {
        self.visited(root, 0, self.links.len()).unwrap_or_else(|| Sizes::default().of(self, root))
    }

    /// Checks that a node is within bounds when it is written.
    ///
    /// # Errors
    /// The size, the first value in document order that exceeds a bound, and its context.
    pub fn fits(&mut self, root: NodeId, nodes: u64, bytes: u64) -> Result<(), (Size, NodeId, FrameId)> {
        if !self.may_share() && self.stored().fits(nodes, bytes) {
            return Ok(());
        }
        if self.bound(root, u64::MAX).is_some_and(|bound| bound.fits(nodes, bytes)) {
            return Ok(());
        }
        let size = self.size(root);
        if size.fits(nodes, bytes) {
            return Ok(());
        }
        let mut sizes = std::mem::take(&mut self.sizes);
        let (node, frame) = sizes.first_beyond(self, root, nodes, bytes);
        self.sizes = sizes;
        Err((size, node, frame))
    }

    /// Returns `true` when a node has at most so many nodes and levels when it is written.
    pub fn is_below(&mut self, root: NodeId, nodes: u64, depth: u32) -> bool {
        const SHORT: u64 = 256;
        let is_below = |size: Size| size.nodes <= nodes && size.depth <= depth;
        self.bound(root, SHORT).is_some_and(is_below) || is_below(self.measure(root))
    }

    /// Returns the known upper bound of a node, or one for which collections with a text of at most `skipped` bytes are
    /// not visited.
    fn bound(&mut self, root: NodeId, skipped: u64) -> Option<Size> {
        let known = self.sizes.bound.filter(|(of, _)| *of == root).map(|(_, bound)| bound);
        let bound = known.or_else(|| self.visited(root, skipped, self.links.len()));
        self.sizes.bound = bound.map(|bound| (root, bound));
        bound
    }

    /// Drops the sizes of a finished tree.
    pub fn forget_sizes(&mut self) {
        self.sizes = Sizes::default();
    }

    /// Returns the size of everything that was added, which is an upper bound for a tree without shared nodes.
    fn stored(&self) -> Size {
        let nodes = self.nodes.len() as u64;
        Size { nodes, bytes: self.text.len() as u64 + self.key_bytes + nodes * (SEPARATOR + TRUTH), depth: 0 }
    }

    /// Returns the size by a visit of each place, which is faster than storing sizes as long as little is shared;
    /// `None` with more than `left` places. Authored collections with a text of at most `skipped` bytes are not
    /// visited, and the size is an upper bound; that of the depth is useful when they are short.
    fn visited(&self, root: NodeId, skipped: u64, mut left: usize) -> Option<Size> {
        let mut size = self.own_size(root);
        let mut pending = vec![(self.below(root), 1)];
        while let Some((below, depth)) = pending.pop() {
            left = left.checked_sub(below.len())?;
            let (mut nodes, mut bytes) = (0_u64, 0_u64);
            for &child in below {
                let data = &self.nodes[child.index()];
                if !matches!(data.kind, Kind::List | Kind::Map | Kind::Call) {
                    nodes += 1;
                    bytes += SEPARATOR + self.own_bytes(child);
                } else if let Some(bound) = Tree::size_by_text(data, skipped) {
                    nodes += bound.nodes;
                    bytes += bound.bytes;
                    size.depth = size.depth.max(bound.depth.saturating_add(depth));
                } else {
                    nodes += 1;
                    bytes += SEPARATOR;
                    pending.push((self.below(child), depth + 1));
                }
            }
            size.nodes = size.nodes.saturating_add(nodes);
            size.bytes = size.bytes.saturating_add(bytes);
            size.depth = size.depth.max(if below.is_empty() { depth - 1 } else { depth });
        }
        Some(size)
    }

    #[inline]
    fn own_size(&self, node: NodeId) -> Size {
        Size { nodes: 1, bytes: self.own_bytes(node) + SEPARATOR, depth: 0 }
    }

    #[inline]
    fn own_bytes(&self, node: NodeId) -> u64 {
        let data = &self.nodes[node.index()];
        match data.kind {
            Kind::List | Kind::Map | Kind::Call => 0,
            Kind::Key => self.symbols.len(Symbol(data.a)),
            Kind::Bool => self.text_form(node).len() as u64,
            _ => u64::from(data.b),
        }
    }

    /// Returns the size of a collection with few nodes below it, all of them scalars: most are, and looking them up
    /// would be slower.
    fn flat_size(&self, node: NodeId) -> Option<Size> {
        let below = self.below(node);
        if below.len() > FEW_MADE as usize {
            return None;
        }
        let mut size = self.own_size(node);
        for &child in below {
            if matches!(self.nodes[child.index()].kind, Kind::List | Kind::Map | Kind::Call) {
                return None;
            }
            size.add(self.own_size(child));
        }
        Some(size)
    }

    /// Returns an upper bound for an authored collection by the length of its text, if that is at most `longest`. A
    /// byte is at most two nodes, a key of one letter without a value, and at most five bytes in a word such as `n`; a
    /// tag has the call and its name, which is a few longer. A level takes two bytes: a dash and a space, or an opening
    /// and a closing bracket.
    #[inline]
    fn size_by_text(data: &Node, longest: u64) -> Option<Size> {
        let len = data.q.saturating_sub(data.p);
        let is_read = data.flags & (flags::MADE | flags::HAS_ALIAS) == 0 && len > 0 && u64::from(len) <= longest;
        let (len, depth) = (u64::from(len), len / 2 + 2);
        is_read.then_some(Size { nodes: 2 * len + 3, bytes: (5 + 2 * SEPARATOR) * len + 18, depth })
    }
}

impl Sizes {
    fn of(&mut self, tree: &Tree, root: NodeId) -> Size {
        if let Some(known) = self.get(tree, root) {
            return known;
        }
        // Enough for a small template; a large one grows it.
        if self.known.is_empty() {
            self.known.reserve((tree.node_count() / 8).min(ROOM));
        }
        // Collections that are being counted, each inside the one before.
        let mut outer: Vec<Counted> = Vec::new();
        let mut open = Counted::new(tree, root);
        loop {
            let Some(&child) = tree.links.get(open.next).filter(|_| open.next < open.end) else {
                if open.size.nodes > if open.is_authored { FEW_AUTHORED } else { FEW_MADE } {
                    self.known.insert(open.slot as u32, open.size);
                }
                let Some(next) = outer.pop() else { return open.size };
                let size = std::mem::replace(&mut open, next).size;
                open.size.add(size);
                continue;
            };
            open.next += 1;
            let data = &tree.nodes[child.index()];
            let known = if matches!(data.kind, Kind::List | Kind::Map | Kind::Call) {
                tree.flat_size(child).or_else(|| self.get(tree, child))
            } else {
                Some(tree.own_size(child))
            };
            let Some(known) = known else {
                outer.push(std::mem::replace(&mut open, Counted::new(tree, child)));
                continue;
            };
            open.size.add(known);
        }
    }

    /// Returns the known size of a node, or that of a node without nodes below it.
    fn get(&self, tree: &Tree, node: NodeId) -> Option<Size> {
        if tree.below(node).is_empty() {
            return Some(tree.own_size(node));
        }
        let slot = tree.nodes[node.index()].a;
        self.known.get(&slot).or_else(|| tree.sizes.known.get(&slot)).copied()
    }

    /// Returns the first value in document order with which the tree exceeds a bound: the outermost shared one, or a
    /// scalar.
    fn first_beyond(&mut self, tree: &Tree, root: NodeId, nodes: u64, bytes: u64) -> (NodeId, FrameId) {
        let mut sum = Size::default();
        let (mut node, mut frame) = (root, FrameId::NONE);
        loop {
            sum.add(tree.own_size(node));
            let crossing = tree.below(node).iter().copied().find(|&child| {
                let mut with = sum;
                with.add(self.of(tree, child));
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
    fn a_shared_value_counts_wherever_it_is_used() {
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
    fn only_what_may_be_large_is_remembered_of_what_was_made() {
        let mut tree = Tree::new();
        let word = text(&mut tree, "1234");
        let authored = tree.list(&[word; 4], Style::Plain, AUTHORED);
        let made = Origin::Generated(authored, FrameId::NONE);
        let few = tree.list(&[authored, word], Style::Plain, made);
        let many = tree.list(&[few; 4], Style::Plain, made);
        let root = tree.list(&[many; 10], Style::Plain, made);
        assert_eq!(tree.size(root), Size { nodes: 291, bytes: 200 * 4 + 291 * 2, depth: 4 });
        let known = |node: NodeId| tree.sizes.known.contains_key(&tree.nodes[node.index()].a);
        assert_eq!([authored, few, many, root].map(known), [false, false, true, true]);
        assert_eq!(tree.fits(root, 290, 2000).map_err(|(size, ..)| size.nodes), Err(291));
        tree.forget_sizes();
        assert!(tree.sizes.known.is_empty() && tree.fits(root, 291, 2000).is_ok());
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
    fn what_was_read_is_no_larger_than_its_text() {
        for text in [
            "[n, n, [n]]",
            "{a, b, c: }",
            "[!a, !b , !If [y,n,!a ]]",
            r#"{"a": [[[1]], {}, "\u2028"]}"#,
            "- - - -\n- !Ref a",
            "- - - - - - - -",
            "? ? ? ? ? a",
            "- ? - ? - ? a",
            "!a [!b [!c {!d {: }}]]",
            "[[[[[[[[[[]]]]]]]]]]",
            "- !GetAtt a.b",
        ] {
            let (mut tree, mut sources) = (Tree::new(), formwork_base::SourceMap::new());
            let file = sources.add(formwork_base::VirtualPath::new("t.yaml"), text).expect("room");
            let (limits, mut found) = (formwork_base::Limits::default(), formwork_base::Diagnostics::new());
            let root = crate::read::read(&mut tree, &sources, file, &limits, &mut found).root;
            let (bound, size) =
                (Tree::size_by_text(&tree.nodes[root.index()], u64::MAX).expect("read"), tree.size(root));
            let is_bound = size.nodes <= bound.nodes && size.bytes <= bound.bytes && size.depth <= bound.depth;
            assert!(is_bound, "{text}: {size:?}, {bound:?}");
            assert_eq!(tree.visited(root, 0, 100), Some(size), "{text}");
            assert!(tree.is_below(root, size.nodes, size.depth), "{text}");
            assert!(!tree.is_below(root, size.nodes - 1, size.depth), "{text}");
            assert!(!tree.is_below(root, size.nodes, size.depth - 1), "{text}");
            tree.stand_in(root, root, FrameId::NONE);
            assert!(tree.fits(root, size.nodes, size.bytes).is_ok(), "{text}");
            assert!(tree.fits(root, size.nodes - 1, size.bytes).is_err(), "{text}");
        }
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
}
