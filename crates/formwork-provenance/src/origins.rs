//! Computes the origins of nodes.

use formwork_base::{FrameKind, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId};

use crate::authored::is_chooser;
use crate::form::{self, Form};
use crate::origin::{Origin, Rule, Source};
use crate::output_node::OutputNode;
use crate::session::Session;

impl Session<'_, '_> {
    /// Returns the origin of a node of the output.
    pub fn origin(&mut self, output: &OutputNode) -> Origin {
        let tree = self.tree();
        let (node, site) = (output.node, tree.authored(output.node));
        let frame = self.frame(output);
        if let Some(key) = output.key
            && self.has_own_key_place(output)
        {
            // A mapping or list has the place and the rule of its key.
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
                if !rule.is_without_sources() {
                    self.sources(site, frame, visibility, &mut sources);
                }
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

    /// Returns the origin of a node that modules generated; `None` for others.
    fn origin_in_modules(&self, output: &OutputNode, frame: FrameId) -> Option<Origin> {
        let linked = self.linked?;
        let (node, tree) = (output.node, self.tree());
        let site = tree.authored(node);
        let mut sources = Vec::new();
        let rule = if let Some(inserted) = linked.inserted.get(&node) {
            self.inserted_sources(inserted, &mut sources);
            if inserted.kind == FrameKind::Output { Rule::Output } else { Rule::Ref }
        } else if let Some(parts) = linked.parts.get(&node) {
            for part in parts {
                self.inserted_sources(part, &mut sources);
            }
            if tree.argument_of(site, Known::Ref).is_some() { Rule::Ref } else { Rule::Computed }
        } else if tree.is_generated(node) && self.is_in_module(frame) {
            match form::of(tree, &self.authored, node) {
                Form::Made(rule) | Form::OfCall(rule) => {
                    if tree.is_scalar(node) {
                        self.written_sources(site, frame, &mut sources);
                    }
                    rule
                }
                Form::Written | Form::Item => return None,
            }
        } else {
            return None;
        };
        Some(Origin { site, span: self.span(node), frame, rule, sources })
    }

    /// Returns the span of a node's [`Origin`], without the rest of it.
    pub fn place(&self, output: &OutputNode) -> Span {
        match output.key {
            Some(key) if self.has_own_key_place(output) => self.tree().span(self.tree().authored(key)),
            _ => self.span(output.node),
        }
    }

    fn has_own_key_place(&self, output: &OutputNode) -> bool {
        matches!(self.tree().kind(output.node), Kind::Map | Kind::List)
            && output.key.is_some_and(|key| self.has_key_place(key, output.node))
    }

    /// Returns the origin of a key.
    pub fn key_origin(&mut self, key: NodeId, frame: FrameId) -> Origin {
        let tree = self.tree();
        let site = tree.authored(key);
        let span = tree.span(key);
        let mut sources = Vec::new();
        let rule = match form::of(tree, &self.authored, key) {
            Form::Made(rule) => {
                if !rule.is_without_sources() {
                    self.key_sources(site, frame, &mut sources);
                }
                rule
            }
            _ => Rule::Copied,
        };
        Origin { site, span, frame, rule, sources }
    }

    /// Returns `true` if the place of a mapping or list is that of its key: it is an authored value of a mapping, and
    /// no function chose or computed it.
    fn has_key_place(&self, key: NodeId, node: NodeId) -> bool {
        form::has_key_place(self.tree(), &self.authored, key, node)
    }

    /// Returns the calls, innermost first, that were replaced and returned this node. `around` is the authored node
    /// around it in the output.
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

    fn frame_source(&self, frame: FrameId) -> Option<Source> {
        let tree = self.tree();
        let record = tree.frames().get(frame)?;
        self.argument(record.name)
    }
}
