//! The file of an instance as it is written.

use formwork_base::Span;
use formwork_syntax::{Kind, NodeId, Symbol, symbol};

use super::Linker;
use super::instance::InstanceId;

impl Linker<'_> {
    /// A section as it is written, when it is a map.
    pub(super) fn written_section(&self, scope: InstanceId, name: &str) -> Option<NodeId> {
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        self.tree.get_text(root, name).filter(|&node| self.tree.kind(node) == Kind::Map)
    }

    /// The file that a string is in; that of the instance when it has no place.
    pub(super) fn file_of(&self, span: Span, scope: InstanceId) -> usize {
        let file = self.sources.file_of(span);
        let found = file.and_then(|file| self.loaded.files.iter().position(|known| known.file == file));
        found.unwrap_or(self.values.instances[scope.at()].file)
    }

    /// The declaration of a parameter in the file of an instance.
    pub(super) fn declaration(&self, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        let section =
            self.tree.get(self.loaded.files[self.values.instances[scope.at()].file].root, symbol::PARAMETERS)?;
        self.tree.get(section, name)
    }

    /// The `Default` of a parameter.
    pub(super) fn declared_default(&self, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        self.tree.get(self.declaration(scope, name)?, symbol::DEFAULT)
    }
}
