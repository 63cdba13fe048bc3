//! The entries of `Modules` and `Resources` as they are written, by name, and what a `ForEach` generates of one.

use formwork_base::IdMap;
use formwork_syntax::{FrameId, NodeId, Symbol};

/// A section whose entries a `ForEach` copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Section {
    /// `Modules`
    Imports,
    /// `Resources`
    Resources,
}

/// The entries of such a section, as they are written.
#[derive(Default)]
pub(super) struct Groups {
    /// Their names, in order.
    pub(super) names: Vec<Symbol>,
    /// Those of each `Fn::ForEach`.
    pub(super) loops: Vec<Symbol>,
    /// Where each of them is among the names.
    pub(super) places: IdMap<Symbol, u32>,
    /// As many as there are names; the last of those with one name is at the place of the name.
    pub(super) entries: Vec<ForEachGroup>,
}

impl Groups {
    /// The entry with this name.
    pub(super) fn get(&self, name: Symbol) -> Option<&ForEachGroup> {
        self.places.get(&name).map(|&at| &self.entries[at as usize])
    }

    /// Whether the entry with this name generates copies, so that references need a selector.
    pub(super) fn is_many(&self, name: Symbol) -> bool {
        self.get(name).is_some_and(|group| group.collection.is_some())
    }

    /// Whether the entry with this name is an `Fn::ForEach`.
    pub(super) fn is_loop(&self, name: Symbol) -> bool {
        self.get(name).is_some_and(|group| group.variable.is_some())
    }
}

/// An import or a resource as it is written, or an `Fn::ForEach` around imports.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForEachGroup {
    /// Its key.
    pub(super) key: NodeId,
    /// The import or resource; the imports in an `Fn::ForEach`.
    pub(super) body: NodeId,
    /// What it is copied for.
    pub(super) collection: Option<NodeId>,
    /// The variable of an `Fn::ForEach`.
    pub(super) variable: Option<NodeId>,
}

/// One import or resource as it is in the result.
#[derive(Clone, Debug)]
pub(super) struct ForEachCopy {
    /// Its name in the file, with its index.
    pub(super) id: Symbol,
    /// What a selector finds it by.
    pub(super) identifier: Option<String>,
    /// Its key.
    pub(super) key: NodeId,
    /// It, with the variables of the copy in place.
    pub(super) body: NodeId,
    /// The context of the copy.
    pub(super) frame: FrameId,
}
