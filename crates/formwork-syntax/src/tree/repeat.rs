//! Repetition of added nodes: copies of a loop body differ in their strings and in their context.

use std::ops::Range;

use super::node::flags::MADE;
use super::{Extent, FrameId, Kind, NodeId, Tree};

/// Nodes that were added one after another, to be added again.
#[derive(Clone, Debug)]
pub struct Pattern {
    nodes: Range<usize>,
    links: Range<usize>,
    strings: Vec<usize>,
    root: NodeId,
}

impl Pattern {
    /// Returns the strings in the order in which they were added.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = NodeId> {
        self.strings.iter().map(|at| NodeId::new(self.nodes.start + at))
    }
}

impl Tree {
    /// Returns the nodes added since `start` as a pattern of `root`, which is the last of them. `None` when it has
    /// nodes other than strings, lists, mappings and calls that were generated in the context `frame`, or links of
    /// others.
    pub fn pattern_since(&self, start: Extent, root: NodeId, frame: FrameId) -> Option<Pattern> {
        let added = &self.nodes[start.nodes..];
        let is_own = added.iter().all(|node| {
            let has_links = matches!(node.kind, Kind::List | Kind::Map | Kind::Call) && node.a as usize >= start.links;
            let is_here = node.flags & MADE != 0 && node.q == frame.number();
            is_here && (has_links || node.kind == Kind::String)
        });
        if !is_own || self.frames.len() != start.frames || root.index() + 1 != self.nodes.len() {
            return None;
        }
        let strings =
            added.iter().enumerate().filter(|(_, node)| node.kind == Kind::String).map(|(at, _)| at).collect();
        let (nodes, links) = (start.nodes..self.nodes.len(), start.links..self.links.len());
        Some(Pattern { nodes, links, strings, root })
    }

    /// Reserves memory for copies of a pattern, unless there are very many: tables that grow are moved.
    pub fn reserve_repeats(&mut self, of: &Pattern, copies: usize) {
        const MOST: usize = 1 << 19;
        self.nodes.reserve(of.nodes.len().saturating_mul(copies).min(MOST));
        self.links.reserve(of.links.len().saturating_mul(copies).min(MOST));
    }

    /// Adds the nodes of a pattern again, in the context `frame`, and returns the root of the copy. `fill` is called
    /// for each of the strings: it adds the text of the string, or returns another string with that text.
    ///
    /// Each string must have the flags that it has in the pattern (see [`super::flags`]).
    pub fn repeat(
        &mut self,
        of: &Pattern,
        frame: FrameId,
        mut fill: impl FnMut(usize, &mut String) -> Option<NodeId>,
    ) -> NodeId {
        let (nodes, links) = (self.nodes.len(), self.links.len());
        let (node_shift, link_shift) = (nodes - of.nodes.start, (links - of.links.start) as u32);
        let moved = |id: NodeId| NodeId::new(id.index() + node_shift);
        self.links.extend_from_within(of.links.clone());
        for link in &mut self.links[links..] {
            if link.index() >= of.nodes.start {
                *link = moved(*link);
            }
        }
        self.nodes.extend_from_within(of.nodes.clone());
        for node in &mut self.nodes[nodes..] {
            // Strings get another text below.
            node.a = node.a.wrapping_add(link_shift);
            node.q = frame.number();
        }
        for (number, at) in of.strings.iter().enumerate() {
            let start = self.text.len();
            let (style, a, b) = match fill(number, &mut self.text) {
                Some(same) => {
                    let same = &self.nodes[same.index()];
                    (same.style, same.a, same.b)
                }
                None => (self.nodes[nodes + at].style, start as u32, (self.text.len() - start) as u32),
            };
            let node = &mut self.nodes[nodes + at];
            (node.style, node.a, node.b) = (style, a, b);
        }
        moved(of.root)
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{FrameKind, Span};

    use super::super::{Entry, FrameRecord, Origin, Style};
    use super::*;

    struct Made {
        tree: Tree,
        written: NodeId,
        start: Extent,
        root: NodeId,
        frame: FrameId,
    }

    fn made() -> Made {
        let mut tree = Tree::new();
        let authored = Origin::Authored(Span::NONE);
        let key = tree.key("key", Style::Plain, authored);
        let item = tree.scalar(Kind::String, Style::Double, "item", authored);
        let written = tree.list(&[item], Style::Flow, authored);
        let name = tree.symbol(key);
        let frame = tree.frames_mut().push(FrameRecord::new(FrameId::NONE, FrameKind::Loop, Span::NONE, name));
        let start = tree.extent();
        let origin = Origin::Generated(written, frame);
        let copy = tree.stand_in(item, written, frame);
        let other = tree.computed("other", origin);
        let value = tree.list(&[copy, written, other], Style::Plain, origin);
        let root = tree.map(&[Entry { key, value }], Style::Plain, origin);
        Made { tree, written, start, root, frame }
    }

    #[test]
    fn a_pattern_is_added_again_with_other_strings() {
        let Made { mut tree, written, start, root, frame } = made();
        let pattern = tree.pattern_since(start, root, frame).expect("of one context");
        let texts: Vec<&str> = pattern.strings().map(|string| tree.text(string)).collect();
        assert_eq!(texts, ["item", "other"]);
        let item = tree.scalar(Kind::String, Style::Single, "next", Origin::Authored(Span::NONE));
        let name = tree.symbol(tree.entry(root, 0).key);
        let second = tree.frames_mut().push(FrameRecord::new(FrameId::NONE, FrameKind::Loop, Span::NONE, name));
        let again = tree.repeat(&pattern, second, |string, out| {
            out.push_str(["", "text"][string]);
            (string == 0).then_some(item)
        });
        let list = tree.entry(again, 0).value;
        let &[copy, shared, other] = tree.items(list) else { panic!("three items") };
        assert_eq!((tree.text(copy), tree.style(copy)), ("next", Style::Single));
        assert_eq!((shared, tree.text(other)), (written, "text"));
        for node in [again, list, copy, other] {
            assert_eq!(tree.origin(node), Origin::Generated(written, second));
        }
        let texts: Vec<&str> = pattern.strings().map(|string| tree.text(string)).collect();
        assert_eq!(texts, ["item", "other"]);
    }

    #[test]
    fn nodes_of_another_kind_or_context_are_no_pattern() {
        let Made { mut tree, written, start, root, frame } = made();
        assert!(tree.pattern_since(start, root, FrameId::NONE).is_none());
        let number = tree.scalar(Kind::Number, Style::Plain, "1", Origin::Generated(written, frame));
        assert!(tree.pattern_since(start, root, frame).is_none(), "it is not the last one");
        let list = tree.list(&[root, number], Style::Plain, Origin::Generated(written, frame));
        assert!(tree.pattern_since(start, list, frame).is_none(), "it has a number");
    }
}
