//! Values that modules insert: properties, defaults, outputs (reference/provenance.md#frames). The meaning of a name in
//! a module does not follow from the template, so it was recorded.

use formwork_base::FrameKind;
use formwork_modules::Inserted;
use formwork_syntax::{FrameId, Kind, NodeId};

use crate::origin::Source;
use crate::session::Session;

impl Session<'_, '_> {
    pub(crate) fn is_in_module(&self, frame: FrameId) -> bool {
        self.linked.is_some()
            && self
                .tree()
                .frames()
                .chain(frame)
                .any(|(_, record)| matches!(record.kind, FrameKind::Module | FrameKind::Override))
    }

    /// Returns `true` if modules inserted a node, so that it cannot be evaluated again from the template.
    pub(crate) fn is_of_modules(&self, node: NodeId, frame: FrameId) -> bool {
        let is_noted = |node| {
            self.linked.is_some_and(|linked| linked.inserted.contains_key(&node) || linked.parts.contains_key(&node))
        };
        is_noted(node) || self.is_in_module(frame)
    }

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
}
