//! The written entries of `Modules` and `Resources` by name, and the entries that a `ForEach` generates of one.

use formwork_base::IdMap;
use formwork_syntax::{FrameId, NodeId, Symbol};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Section {
    Imports,
    Resources,
}

#[derive(Default)]
pub(super) struct Groups {
    pub(super) names: Vec<Symbol>,
    pub(super) loops: Vec<Symbol>,
    pub(super) places: IdMap<Symbol, u32>,
    /// Parallel to `names`; the last entry with a name is at the index of the name.
    pub(super) entries: Vec<ForEachGroup>,
}

impl Groups {
    pub(super) fn get(&self, name: Symbol) -> Option<&ForEachGroup> {
        self.places.get(&name).map(|&at| &self.entries[at as usize])
    }

    /// Returns `true` when the entry with this name generates copies, so that references need a selector.
    pub(super) fn is_many(&self, name: Symbol) -> bool {
        self.get(name).is_some_and(|group| group.collection.is_some())
    }

    pub(super) fn is_loop(&self, name: Symbol) -> bool {
        self.get(name).is_some_and(|group| group.variable.is_some())
    }
}

/// An import or a resource as it is written, or an `Fn::ForEach` around imports.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForEachGroup {
    pub(super) key: NodeId,
    /// The import or resource; the imports in an `Fn::ForEach`.
    pub(super) body: NodeId,
    pub(super) collection: Option<NodeId>,
    pub(super) variable: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub(super) struct ForEachCopy {
    /// The name in the file, with its index.
    pub(super) id: Symbol,
    pub(super) identifier: Option<String>,
    pub(super) key: NodeId,
    pub(super) body: NodeId,
    pub(super) frame: FrameId,
}
