//! Putting the content of files in the places of their includes.

use formwork_base::{Diagnostic, Diagnostics, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Tree, flags, symbol};
use rustc_hash::FxHashMap;

use super::sites::transforms;

/// The tree below `node` with the contents that were found in their places, each by the argument of the
/// call that it replaces. `is_template` is whether the section `Transform` may include.
pub(super) fn includes(
    tree: &mut Tree,
    node: NodeId,
    found: &FxHashMap<NodeId, NodeId>,
    is_template: bool,
    diagnostics: &mut Diagnostics,
) -> NodeId {
    if found.is_empty() {
        return node;
    }
    let mut put = Put { tree, found, diagnostics };
    let root = put.below(node);
    if is_template { put.section(root) } else { root }
}

struct Put<'p> {
    tree: &'p mut Tree,
    found: &'p FxHashMap<NodeId, NodeId>,
    diagnostics: &'p mut Diagnostics,
}

impl Put<'_> {
    fn below(&mut self, node: NodeId) -> NodeId {
        if !self.tree.has(node, flags::HAS_TRANSFORM) {
            return node;
        }
        if self.tree.kind(node) == Kind::Map {
            return self.map(node);
        }
        if let Some(argument) = self.tree.argument_of(node, Known::Transform)
            && let Some(&content) = self.found.get(&argument)
        {
            return self.tree.stand_in(content, node, FrameId::NONE);
        }
        let children = self.tree.children(node).into_iter().map(|child| self.below(child)).collect::<Vec<_>>();
        self.tree.with_children(node, &children, FrameId::NONE)
    }

    fn map(&mut self, node: NodeId) -> NodeId {
        let entries: Vec<Entry> = self.tree.entries(node).collect();
        let mut splice = Pour::new(entries.len());
        for &entry in &entries {
            let is_call = self.tree.symbol(entry.key) == symbol::FN_TRANSFORM;
            match self.found.get(&entry.value).filter(|_| is_call) {
                Some(&content) if self.tree.kind(content) == Kind::Map => splice.content(self.tree, content),
                Some(_) => {
                    self.is_not_a_map(entry.key);
                    splice.own(entry);
                }
                None => {
                    let value = self.below(entry.value);
                    splice.own(Entry { key: entry.key, value });
                }
            }
        }
        self.spliced(node, &entries, splice)
    }

    /// The template with this root and the includes of its `Transform` section in place.
    fn section(&mut self, root: NodeId) -> NodeId {
        let Some(section) = self.tree.get(root, symbol::TRANSFORM) else { return root };
        let listed = transforms(self.tree, &section).to_vec();
        let contents: Vec<NodeId> = listed.iter().filter_map(|node| self.found.get(node).copied()).collect();
        if contents.is_empty() {
            return root;
        }
        let entries: Vec<Entry> = self.tree.entries(root).collect();
        let mut splice = Pour::new(entries.len());
        for &entry in &entries {
            if entry.value != section {
                splice.own(entry);
                continue;
            }
            if contents.iter().any(|&content| self.tree.kind(content) != Kind::Map) {
                self.is_not_a_map(entry.key);
                splice.own(entry);
                continue;
            }
            let left: Vec<NodeId> = listed.iter().copied().filter(|node| !self.found.contains_key(node)).collect();
            if !left.is_empty() {
                let style = self.tree.style(section);
                let value = self.tree.list(&left, style, Origin::Generated(section, FrameId::NONE));
                splice.own(Entry { key: entry.key, value });
            }
            for &content in &contents {
                splice.content(self.tree, content);
            }
        }
        self.spliced(root, &entries, splice)
    }

    /// A map in the place of `node`, unless nothing changed. An included key replaces a sibling of the
    /// same name.
    fn spliced(&mut self, node: NodeId, entries: &[Entry], splice: Pour) -> NodeId {
        let made = splice.finish(self.tree);
        if made == entries {
            return node;
        }
        let style = self.tree.style(node);
        self.tree.map(&made, style, Origin::Generated(node, FrameId::NONE))
    }

    fn is_not_a_map(&mut self, key: NodeId) {
        let diagnostic = Diagnostic::new(
            codes::WRONG_KIND,
            "the included file is no mapping, and there are other members beside it",
        )
        .at(self.tree.span(key))
        .help("write the file as names with their values, or leave `Fn::Transform` alone in its place");
        self.diagnostics.push(diagnostic);
    }
}

/// The members of a map that takes in those of included files.
struct Pour {
    /// Each with whether it was included.
    entries: Vec<(Entry, bool)>,
}

impl Pour {
    fn new(count: usize) -> Pour {
        Pour { entries: Vec::with_capacity(count) }
    }

    fn own(&mut self, entry: Entry) {
        self.entries.push((entry, false));
    }

    fn content(&mut self, tree: &Tree, content: NodeId) {
        self.entries.extend(tree.entries(content).map(|entry| (entry, true)));
    }

    fn finish(self, tree: &Tree) -> Vec<Entry> {
        let included: rustc_hash::FxHashSet<_> =
            self.entries.iter().filter(|(_, included)| *included).map(|(entry, _)| tree.symbol(entry.key)).collect();
        let stays = |&(entry, is_included): &(Entry, bool)| is_included || !included.contains(&tree.symbol(entry.key));
        self.entries.iter().filter(|entry| stays(entry)).map(|(entry, _)| *entry).collect()
    }
}
