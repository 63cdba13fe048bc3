//! `Transform` of the template followed by what modules add to it
//! (reference/modules/README.md#transform).

use formwork_syntax::{FrameId, Kind, NodeId, Origin, Style, symbol};

use super::Linker;
use super::instance::InstanceId;

impl Linker<'_> {
    /// Notes the transforms of a module.
    pub(super) fn add_transforms(&mut self, scope: InstanceId) {
        let root = self.files[self.instances[scope.0].file].root;
        let Some(node) = self.tree.get(root, symbol::TRANSFORM) else { return };
        for entry in self.entries_of(node) {
            if !self.transforms.iter().any(|&known| self.tree.same_data(known, entry)) {
                self.transforms.push(entry);
            }
        }
    }

    fn entries_of(&self, node: NodeId) -> Vec<NodeId> {
        if self.tree.kind(node) == Kind::Null { Vec::new() } else { self.items_or_self(node) }
    }

    /// The items of a list; anything else is alone.
    pub(super) fn items_or_self(&self, node: NodeId) -> Vec<NodeId> {
        if self.tree.kind(node) == Kind::List { self.tree.items(node).to_vec() } else { vec![node] }
    }

    /// The template's own entries, then those of modules that are not yet there.
    pub(super) fn merged_transform(&mut self, own: Option<NodeId>, place: NodeId) -> NodeId {
        let own_entries = own.map_or_else(Vec::new, |own| self.entries_of(own));
        let mut entries = own_entries.clone();
        for &entry in &self.transforms {
            if !entries.iter().any(|&known| self.tree.same_data(known, entry)) {
                entries.push(entry);
            }
        }
        match (own, entries.as_slice()) {
            (Some(own), entries) if entries == own_entries => own,
            (_, &[only]) => only,
            (own, entries) => {
                let style = own
                    .filter(|&own| self.tree.kind(own) == Kind::List)
                    .map_or(Style::Plain, |own| self.tree.style(own));
                self.tree.list(entries, style, Origin::Generated(place, FrameId::NONE))
            }
        }
    }
}
