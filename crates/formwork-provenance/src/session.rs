//! The session for questions about one compiled template, and the nodes of its output.

use std::cell::OnceCell;
use std::ops::Range;

use formwork_base::{IdMap, SourceMap};
use formwork_evaluate::{Evaluator, Values, Visibility};
use formwork_loops::Replay;
use formwork_modules::Linked;
use formwork_syntax::{FrameId, Kind, NodeId, Tree};

use crate::authored::Authored;
use crate::form;
use crate::output_node::{Child, OutputNode};

/// Replacements of references, by the authored references.
pub(crate) type BySite = IdMap<NodeId, Vec<NodeId>>;

/// The roots of a template at its stages.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The authored document, with includes resolved.
    pub linked: NodeId,
    /// The document with its loops expanded.
    pub expanded: NodeId,
    /// The document as it is written to the output.
    pub result: NodeId,
    /// The indexes of the nodes that the serverless transform made.
    pub made: Range<usize>,
}

/// Answers questions about one compiled template.
pub struct Session<'x, 'e> {
    pub(crate) replay: Replay<'x, 'e>,
    pub(crate) sources: &'x SourceMap,
    pub(crate) roots: Roots,
    pub(crate) authored: Authored,
    pub(crate) linked: Option<&'x Linked>,
    /// Insertions by their authored references, collected on first use.
    pub(crate) by_site: OnceCell<BySite>,
}

impl<'x, 'e> Session<'x, 'e> {
    /// Creates a session. `ev` evaluates the template, its conditions set; `linked` is the result of inlining its
    /// modules.
    pub fn new(
        ev: &'x mut Evaluator<'e>,
        sources: &'x SourceMap,
        roots: Roots,
        linked: Option<&'x Linked>,
    ) -> Session<'x, 'e> {
        // Loops that were expanded with the modules are in the authored template alone.
        let written = linked.filter(|linked| !linked.loops.is_empty()).and_then(|linked| linked.documents.first());
        let written: Vec<NodeId> = written.map(|&(root, _)| root).into_iter().chain([roots.linked]).collect();
        let authored = Authored::new(ev.tree, &written, roots.made.clone());
        let by_site = OnceCell::new();
        Session { replay: Replay::new(ev, &written), sources, roots, authored, linked, by_site }
    }

    /// Returns the tree of all nodes.
    pub fn tree(&self) -> &Tree {
        self.replay.seen().tree
    }

    /// Returns the files.
    pub fn files(&self) -> &SourceMap {
        self.sources
    }

    /// Returns the root of the output.
    pub fn root(&self) -> OutputNode {
        self.root_at(self.roots.result)
    }

    pub(crate) fn root_at(&self, node: NodeId) -> OutputNode {
        OutputNode { node, key: None, parent: None, key_frame: FrameId::NONE, below: self.tree().frame_of(node) }
    }

    pub(crate) fn join(&mut self, outer: FrameId, node: NodeId) -> FrameId {
        let tree = &mut *self.replay.evaluator().tree;
        let own = tree.frame_of(node);
        if own.is_none() { outer } else { tree.frames_mut().join(outer, own) }
    }

    /// Returns the children of a node: entries, elements, or the argument of a call.
    pub fn children(&mut self, output: &OutputNode) -> Vec<OutputNode> {
        let tree = self.tree();
        let children: Vec<Child> = match tree.kind(output.node) {
            Kind::Map => tree.entries(output.node).map(Child::Member).collect(),
            Kind::List => tree.items(output.node).iter().copied().map(Child::Item).collect(),
            Kind::Call => vec![Child::Item(tree.call(output.node).1)],
            _ => Vec::new(),
        };
        children.into_iter().map(|child| self.child(output, child)).collect()
    }

    pub(crate) fn child(&mut self, output: &OutputNode, child: Child) -> OutputNode {
        let (key, node) = match child {
            Child::Member(entry) => (Some(entry.key), entry.value),
            Child::Item(node) => (None, node),
        };
        let key_frame = key.map_or(output.below, |key| self.join(output.below, key));
        let below = self.join(key_frame, node);
        OutputNode { node, key, parent: Some(output.node), key_frame, below }
    }

    /// Returns the context of a node itself.
    pub fn frame(&self, output: &OutputNode) -> FrameId {
        form::own_frame(self.tree(), self.tree().frames(), output.node, output.below)
    }

    /// Returns the known values that were visible when the node was produced.
    pub(crate) fn visibility(&self, node: NodeId) -> Visibility {
        let tree = self.tree();
        match self.replay.seen().settings.values {
            Values::Keep => Visibility::Constant,
            // A value was computed from known values alone; in a call that is kept, only constructs were.
            Values::Pin if tree.kind(node) == Kind::Call => {
                let is_construct = self.authored.is_in_construct(tree, tree.authored(node));
                if is_construct { Visibility::Full } else { Visibility::Constant }
            }
            _ => Visibility::Full,
        }
    }

    /// Returns the primary span of a node whose place is not that of its key.
    pub(crate) fn span(&self, node: NodeId) -> formwork_base::Span {
        let tree = self.tree();
        let span = tree.span(node);
        if !span.is_none() {
            return span;
        }
        // A value of the command line has no span: the span of its reference counts.
        tree.frames().get(tree.frame_of(node)).map_or(span, |record| record.site)
    }
}
