//! Answering for single nodes of a compiled template.

use std::cell::OnceCell;

use formwork_base::{IdMap, SourceMap};
use formwork_evaluate::{Evaluator, Values, Visibility};
use formwork_expand::Replay;
use formwork_expand::modules::Linked;
use formwork_syntax::{FrameId, Kind, NodeId, Tree};

use crate::authored::{Authored, is_chooser};
use crate::form::{self, Form};
use crate::origin::{Origin, Rule, Source};
use crate::output_node::{Child, OutputNode};

/// Values in the place of references, by the references as they are written.
pub(crate) type BySite = IdMap<NodeId, Vec<NodeId>>;

/// The roots of a template at its stages.
#[derive(Clone, Copy, Debug)]
pub struct Roots {
    /// As written, includes in place.
    pub linked: NodeId,
    /// Its loops expanded.
    pub expanded: NodeId,
    /// As it is written out.
    pub result: NodeId,
}

/// Answers questions about one compiled template.
pub struct Session<'x, 'e> {
    pub(crate) replay: Replay<'x, 'e>,
    pub(crate) sources: &'x SourceMap,
    pub(crate) roots: Roots,
    pub(crate) authored: Authored,
    /// What modules put where, when there are any.
    pub(crate) linked: Option<&'x Linked>,
    /// The same by where it is written, collected when it is first asked for.
    pub(crate) by_site: OnceCell<BySite>,
}

impl<'x, 'e> Session<'x, 'e> {
    /// `ev` evaluates the template, its conditions set. `linked` is what modules made of it.
    pub fn new(
        ev: &'x mut Evaluator<'e>,
        sources: &'x SourceMap,
        roots: Roots,
        linked: Option<&'x Linked>,
    ) -> Session<'x, 'e> {
        // Loops that were expanded with the modules are in the template as it is written alone.
        let written = linked.filter(|linked| !linked.loops.is_empty()).and_then(|linked| linked.documents.first());
        let written: Vec<NodeId> = written.map(|&(root, _)| root).into_iter().chain([roots.linked]).collect();
        let authored = Authored::new(ev.tree, &written);
        let by_site = OnceCell::new();
        Session { replay: Replay::new(ev, &written), sources, roots, authored, linked, by_site }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        self.replay.seen().tree
    }

    /// The files.
    pub fn files(&self) -> &SourceMap {
        self.sources
    }

    /// The root of the output.
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

    /// What lies below a node: entries, elements, or the argument of a call.
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

    /// The context of a node itself.
    pub fn frame(&self, output: &OutputNode) -> FrameId {
        form::own_frame(self.tree(), self.tree().frames(), output.node, output.below)
    }

    /// Which known values were visible when the node was made.
    pub(crate) fn visibility(&self, node: NodeId) -> Visibility {
        let tree = self.tree();
        match self.replay.seen().settings.values {
            Values::Keep => Visibility::Constant,
            // A value was made from known values alone; of a call that stays, only a construct was.
            Values::Pin if tree.kind(node) == Kind::Call => {
                let is_construct = self.authored.is_in_construct(tree, tree.authored(node));
                if is_construct { Visibility::Full } else { Visibility::Constant }
            }
            _ => Visibility::Full,
        }
    }

    /// Where a node came from.
    pub fn origin(&mut self, output: &OutputNode) -> Origin {
        let tree = self.tree();
        let (node, site) = (output.node, tree.authored(output.node));
        let frame = self.frame(output);
        if let Some(key) = output.key
            && self.has_own_key_place(output)
        {
            // A map or list has the place of its key, and came to be as it did.
            let origin = self.key_origin(key, output.key_frame);
            return Origin { site, frame, ..origin };
        }
        if let Some(origin) = self.origin_in_modules(output, frame) {
            return origin;
        }
        let form = form::of(tree, &self.authored, node);
        let span = self.span(node);
        let around = output.parent.map(|parent| self.tree().authored(parent));
        let mut sources = Vec::new();
        let rule = match form {
            Form::Item => {
                sources.extend(self.frame_source(output.below));
                Rule::Ref
            }
            Form::OfCall(_) if around == Some(site) => Rule::Generated,
            Form::Made(rule) | Form::OfCall(rule) => {
                let visibility = self.visibility(node);
                self.sources(site, frame, visibility, &mut sources);
                rule
            }
            Form::Written => Rule::Copied,
        };
        let choosers = self.choosers(site, around);
        let rule = if !choosers.is_empty() && rule == Rule::Copied { Rule::Chosen } else { rule };
        for chooser in choosers {
            self.choice_sources(chooser, site, frame, &mut sources);
        }
        Origin { site, span, frame, rule, sources }
    }

    /// The primary place of a node: the span of its [`Origin`], without the rest of it.
    pub fn place(&self, output: &OutputNode) -> formwork_base::Span {
        match output.key {
            Some(key) if self.has_own_key_place(output) => self.tree().span(self.tree().authored(key)),
            _ => self.span(output.node),
        }
    }

    /// Whether a node is a map or list that has the place of its key.
    fn has_own_key_place(&self, output: &OutputNode) -> bool {
        matches!(self.tree().kind(output.node), Kind::Map | Kind::List)
            && output.key.is_some_and(|key| self.has_key_place(key, output.node))
    }

    /// Where a key came from.
    pub fn key_origin(&mut self, key: NodeId, frame: FrameId) -> Origin {
        let tree = self.tree();
        let site = tree.authored(key);
        let span = tree.span(key);
        let mut sources = Vec::new();
        let rule = match form::of(tree, &self.authored, key) {
            Form::Made(rule) => {
                self.key_sources(site, frame, &mut sources);
                rule
            }
            _ => Rule::Copied,
        };
        Origin { site, span, frame, rule, sources }
    }

    /// Whether a map or list has the place of its key: it is a value of a map where it was
    /// written, and no function chose or computed it.
    fn has_key_place(&self, key: NodeId, node: NodeId) -> bool {
        form::has_key_place(self.tree(), &self.authored, key, node)
    }

    /// The primary place of a node that has no key's place.
    pub(crate) fn span(&self, node: NodeId) -> formwork_base::Span {
        let tree = self.tree();
        let span = tree.span(node);
        if !span.is_none() {
            return span;
        }
        // The text of the command line has no place: where it was asked for does.
        tree.frames().get(tree.frame_of(node)).map_or(span, |record| record.site)
    }

    /// The calls, innermost first, that were replaced and returned this node. `around` is the
    /// authored node around it in the output.
    fn choosers(&self, site: NodeId, around: Option<NodeId>) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = site;
        while let Some(chooser) = self.authored.chooser(self.tree(), at) {
            if self.authored.parent(at) == around {
                break;
            }
            debug_assert!(is_chooser(self.tree().call(chooser).0));
            found.push(chooser);
            at = chooser;
        }
        found
    }

    /// The parameter whose value a context put in.
    fn frame_source(&self, frame: FrameId) -> Option<Source> {
        let tree = self.tree();
        let record = tree.frames().get(frame)?;
        self.argument(record.name)
    }
}
