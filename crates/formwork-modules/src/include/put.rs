//! Replacement of includes by the contents of their files.

use formwork_base::{Diagnostic, Diagnostics, IdMap, IdSet, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Symbol, Tree, flags, symbol};

use super::sites::transforms;

/// Returns the tree below `node` with the found contents, each by the argument of the call that it replaces.
/// `is_template` is `true` when the section `Transform` may include files.
pub(super) fn includes(
    tree: &mut Tree,
    node: NodeId,
    found: &IdMap<NodeId, NodeId>,
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
    found: &'p IdMap<NodeId, NodeId>,
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
        let mut members = Vec::with_capacity(self.tree.len(node));
        for entry in self.tree.entries(node).collect::<Vec<_>>() {
            let is_call = self.tree.symbol(entry.key) == symbol::FN_TRANSFORM;
            match self.found.get(&entry.value).filter(|_| is_call) {
                Some(&content) => self.splice(entry, &[content], None, &mut members),
                None => members.push((Entry { key: entry.key, value: self.below(entry.value) }, false)),
            }
        }
        self.with_members(node, &members)
    }

    fn section(&mut self, root: NodeId) -> NodeId {
        let Some(section) = self.tree.get(root, symbol::TRANSFORM) else { return root };
        let listed = transforms(self.tree, &section).to_vec();
        let contents: Vec<NodeId> = listed.iter().filter_map(|node| self.found.get(node).copied()).collect();
        if contents.is_empty() {
            return root;
        }
        let left: Vec<NodeId> = listed.into_iter().filter(|node| !self.found.contains_key(node)).collect();
        let style = self.tree.style(section);
        let left = (!left.is_empty()).then(|| self.tree.list(&left, style, Origin::Generated(section, FrameId::NONE)));
        let mut members = Vec::with_capacity(self.tree.len(root));
        for entry in self.tree.entries(root).collect::<Vec<_>>() {
            if entry.value == section {
                self.splice(entry, &contents, left, &mut members);
            } else {
                members.push((entry, false));
            }
        }
        self.with_members(root, &members)
    }

    /// Replaces `entry` by the entries of contents, after `left`, the rest of it. The flag of each entry is `true` for
    /// an included one.
    fn splice(&mut self, entry: Entry, contents: &[NodeId], left: Option<NodeId>, members: &mut Vec<(Entry, bool)>) {
        if contents.iter().any(|&content| self.tree.kind(content) != Kind::Map) {
            let message = "the included file is not a mapping, but there are other keys beside it";
            let diagnostic = Diagnostic::new(codes::WRONG_KIND, message)
                .at(self.tree.span(entry.key))
                .help("write the file as a mapping, or use `Fn::Transform` as the only key");
            self.diagnostics.push(diagnostic);
            members.push((entry, false));
            return;
        }
        members.extend(left.map(|value| (Entry { key: entry.key, value }, false)));
        members.extend(contents.iter().flat_map(|&content| self.tree.entries(content)).map(|entry| (entry, true)));
    }

    /// Returns a mapping in place of `node`, unless nothing changed. An included key replaces a sibling of the same
    /// name.
    fn with_members(&mut self, node: NodeId, members: &[(Entry, bool)]) -> NodeId {
        let name = |entry: &Entry| self.tree.symbol(entry.key);
        let included: IdSet<Symbol> =
            members.iter().filter(|(_, is_included)| *is_included).map(|(entry, _)| name(entry)).collect();
        let stays = |(entry, is_included): &&(Entry, bool)| *is_included || !included.contains(&name(entry));
        let made: Vec<Entry> = members.iter().filter(stays).map(|(entry, _)| *entry).collect();
        if self.tree.entries(node).eq(made.iter().copied()) {
            return node;
        }
        let style = self.tree.style(node);
        self.tree.map(&made, style, Origin::Generated(node, FrameId::NONE))
    }
}
