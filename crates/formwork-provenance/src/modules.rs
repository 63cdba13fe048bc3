//! Where values came from that modules put in: properties, defaults, outputs
//! (reference/provenance.md#frames). What a name meant in a module cannot be seen again from the
//! template, so it was noted.

use formwork_base::FrameKind;
use formwork_expand::modules::Inserted;
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId};

use crate::form::{self, Form};
use crate::origin::{Origin, Rule, Source};
use crate::output_node::OutputNode;
use crate::session::Session;

impl Session<'_, '_> {
    /// Where a node came from that modules made; `None` for others.
    pub(crate) fn origin_in_modules(&self, output: &OutputNode, frame: FrameId) -> Option<Origin> {
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

    /// Whether a context lies in a module.
    pub(crate) fn is_in_module(&self, frame: FrameId) -> bool {
        self.linked.is_some()
            && self
                .tree()
                .frames()
                .chain(frame)
                .any(|(_, record)| matches!(record.kind, FrameKind::Module | FrameKind::Override))
    }

    /// Whether a node is what modules put in, so that it cannot be evaluated again from the template.
    pub(crate) fn is_of_modules(&self, node: NodeId, frame: FrameId) -> bool {
        let is_noted = |node| {
            self.linked.is_some_and(|linked| linked.inserted.contains_key(&node) || linked.parts.contains_key(&node))
        };
        is_noted(node) || self.is_in_module(frame)
    }

    /// A value by itself.
    pub(crate) fn inserted_source(&self, inserted: &Inserted) -> Source {
        let tree = self.tree();
        let is_text = inserted.kind == FrameKind::Argument
            && matches!(tree.kind(inserted.value), Kind::String | Kind::Number | Kind::Bool);
        Source {
            kind: inserted.kind,
            name: tree.name(inserted.name).to_owned(),
            value: is_text.then(|| tree.text_form(inserted.value).to_owned()),
            span: tree.span(inserted.value),
            given: None,
            frame: FrameId::NONE,
        }
    }

    /// A value and those that it was passed on from, nearest first.
    pub(crate) fn inserted_sources(&self, inserted: &Inserted, out: &mut Vec<Source>) {
        let (Some(linked), tree) = (self.linked, self.tree()) else { return };
        let mut next = Some(inserted);
        while let Some(inserted) = next {
            out.push(self.inserted_source(inserted));
            if inserted.kind == FrameKind::Constant {
                return self.definition_words(inserted.value, FrameId::NONE, out);
            }
            if let Some(parts) = linked.parts.get(&inserted.value) {
                for part in parts {
                    self.inserted_sources(part, out);
                }
            }
            next = linked.inserted.get(&inserted.value);
            if next.is_none() && !linked.parts.contains_key(&inserted.value) && tree.is_generated(inserted.value) {
                self.written_sources(tree.authored(inserted.value), tree.frame_of(inserted.value), out);
            }
        }
    }
}
