//! Access to the written file of an instance.

use formwork_base::Span;
use formwork_syntax::{Kind, NodeId, Symbol, symbol};

use super::Linker;
use super::instance::InstanceId;

impl Linker<'_> {
    pub(super) fn written_section(&self, scope: InstanceId, name: &str) -> Option<NodeId> {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        self.tree.get_text(root, name).filter(|&node| self.tree.kind(node) == Kind::Map)
    }

    /// Returns the file of a string; that of the instance when it has no place.
    pub(super) fn file_of(&self, span: Span, scope: InstanceId) -> usize {
        let file = self.sources.file_of(span);
        let found = file.and_then(|file| self.loaded.files.iter().position(|known| known.file == file));
        found.unwrap_or(self.values.instances[scope.at()].file)
    }

    pub(super) fn declaration(&self, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        let section =
            self.tree.get(self.loaded.files[self.values.instances[scope.at()].file].root, symbol::PARAMETERS)?;
        self.tree.get(section, name)
    }

    pub(super) fn declared_default(&self, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        self.tree.get(self.declaration(scope, name)?, symbol::DEFAULT)
    }
}
