//! Adding again what was added before: copies of a loop body differ in their strings and in their context.

use std::ops::Range;

use formwork_base::IdMap;

use super::node::flags::{COPY, MADE};
use super::{Extent, FrameId, Kind, NodeId, Tree};

/// Nodes that were added one after another, to be added again.
#[derive(Clone, Debug)]
pub struct Pattern {
    nodes: Range<usize>,
    links: Range<usize>,
    /// Which of the nodes are strings that differ from copy to copy, and which are strings that do not.
    strings: Vec<usize>,
    constants: Vec<usize>,
    root: NodeId,
}

/// What is known of patterns and their copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    all: Vec<Copied>,
    /// By the authored node in the place of the root.
    known: IdMap<u32, usize>,
}

/// What is known of the copies of a pattern.
#[derive(Clone, Debug)]
struct Copied {
    /// The number of nodes of each.
    nodes: usize,
    /// Whether they have another shape than those of another pattern in the same place.
    is_ambiguous: bool,
}

impl Pattern {
    /// Returns the strings in it that differ from copy to copy, in the order in which they were added.
    pub fn strings(&self) -> impl ExactSizeIterator<Item = NodeId> {
        self.strings.iter().map(|at| NodeId::new(self.nodes.start + at))
    }

    /// Fixes the text of the strings for which `is_constant` returns true, by their numbers: copies that are added from now on
    /// have the same, and [`Tree::repeat`] is not asked for them.
    pub fn fix_strings(&mut self, is_constant: impl Fn(usize) -> bool) {
        let mut number = 0;
        let fixed = self.strings.extract_if(.., |_| {
            number += 1;
            is_constant(number - 1)
        });
        self.constants.extend(fixed);
    }
}

impl Copied {
    /// Whether a node was added with the copy that ends with `root`.
    fn is_own(&self, root: NodeId, node: NodeId) -> bool {
        node <= root && node.index() + self.nodes > root.index()
    }
}

impl Tree {
    /// Returns what was added since `start` as a pattern of `root`, which is the last of it. `None` when it has other nodes
    /// than strings, lists, maps and calls that were generated in the context `frame`, or links of others.
    pub fn pattern_since(&mut self, start: Extent, root: NodeId, frame: FrameId) -> Option<Pattern> {
        let added = &self.nodes[start.nodes..];
        let is_own = added.iter().all(|node| {
            let has_links = matches!(node.kind, Kind::List | Kind::Map | Kind::Call) && node.a as usize >= start.links;
            let is_here = node.flags & MADE != 0 && node.q == frame.number();
            is_here && (has_links || node.kind == Kind::String)
        });
        if !is_own || self.frames.len() != start.frames || root.index() + 1 != self.nodes.len() {
            return None;
        }
        let strings: Vec<usize> =
            added.iter().enumerate().filter(|(_, node)| node.kind == Kind::String).map(|(at, _)| at).collect();
        let (authored, copies) = (self.nodes[root.index()].p, self.copies.all.len());
        let is_ambiguous = self.copies.known.insert(authored, copies).is_some();
        let (nodes, links) = (start.nodes..self.nodes.len(), start.links..self.links.len());
        self.copies.all.push(Copied { nodes: nodes.len(), is_ambiguous });
        self.nodes[root.index()].flags |= COPY;
        Some(Pattern { nodes, links, strings, constants: Vec::new(), root })
    }

    /// The number of the pattern of which a node and what is below it are a copy, or which was made of it. Copies of one
    /// pattern differ in their contexts and strings alone, and these have the same flags.
    pub fn pattern_of(&self, node: NodeId) -> Option<usize> {
        let node = &self.nodes[node.index()];
        let number = (node.flags & COPY != 0).then(|| self.copies.known.get(&node.p))?;
        number.copied().filter(|&number| !self.copies.all[number].is_ambiguous)
    }

    /// The node in `copy` for each one in `root`, which is a copy of the pattern with this number; `None` when `copy` is not
    /// one, too.
    #[inline]
    pub fn counterpart(&self, pattern: usize, root: NodeId, copy: NodeId) -> Option<impl Fn(NodeId) -> NodeId> {
        let is_copy = self.has(copy, COPY) && self.nodes[copy.index()].p == self.nodes[root.index()].p;
        let copied = is_copy.then(|| &self.copies.all[pattern])?;
        let moved = move |node: NodeId| NodeId::new(node.index() + copy.index() - root.index());
        Some(move |node| if copied.is_own(root, node) { moved(node) } else { node })
    }

    /// Adds the nodes of a pattern again, in the context `frame`, and returns the root of the copy. `fill` is called for
    /// each of its strings: it adds the text of the string, or returns a string whose text that is.
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
        for at in &of.constants {
            self.nodes[nodes + at].a = self.nodes[of.nodes.start + at].a;
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

    /// `{key: [item, other]}`, with a list that is authored around it.
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
    fn fixed_strings_are_the_same_in_all_copies() {
        let Made { mut tree, start, root, frame, .. } = made();
        let mut pattern = tree.pattern_since(start, root, frame).expect("of one context");
        pattern.fix_strings(|string| string == 1);
        assert_eq!(pattern.strings().len(), 1);
        let again = tree.repeat(&pattern, frame, |string, out| {
            out.push_str(["a longer item"][string]);
            None
        });
        let list = tree.entry(again, 0).value;
        let &[copy, _, other] = tree.items(list) else { panic!("three items") };
        assert_eq!((tree.text(copy), tree.text(other)), ("a longer item", "other"));
        let number = tree.pattern_of(again).expect("a copy");
        let first = tree.items(tree.entry(root, 0).value)[2];
        assert_eq!(tree.counterpart(number, root, again).map(|counterpart| counterpart(first)), Some(other));
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
