//! A use of a module.

use std::rc::Rc;

use formwork_syntax::{Entry, FrameId, NodeId, Symbol};

use super::groups::Groups;

/// The number of an instance. Names in a file mean what they mean in one instance of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct InstanceId(u32);

impl InstanceId {
    /// The root template.
    pub(super) const ROOT: InstanceId = InstanceId(0);

    /// The instance at a position of the table of instances.
    pub(super) fn new(at: usize) -> InstanceId {
        InstanceId(at as u32)
    }

    /// Its position there.
    #[inline]
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

/// What became of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ImportState {
    /// It is there.
    Instance(InstanceId),
    /// This condition, which is false, removed it.
    Gone(NodeId),
}

/// A use of a module, or the root template.
#[derive(Clone)]
pub(super) struct Instance {
    /// Number of its file.
    pub(super) file: usize,
    /// The instance that imports it.
    pub(super) parent: Option<InstanceId>,
    /// Name of the import, with its index; none for the root template.
    pub(super) name: Option<Symbol>,
    /// What its names begin with in the result.
    pub(super) prefix: String,
    /// The chain of uses that leads to it.
    pub(super) frame: FrameId,
    /// `Properties` of the import.
    pub(super) properties: Option<NodeId>,
    /// The key of an object of the import that has no meaning: it may be meant as its `Properties`.
    pub(super) misnamed: Option<Entry>,
    /// Key of the import.
    pub(super) key: NodeId,
    /// `Overrides` of the import, whose values are those of the file that imports.
    pub(super) overrides: Option<NodeId>,
    /// Full name of the condition that everything in it depends on.
    pub(super) pushed: Option<Symbol>,
    /// The full name of its import's own condition, which is not decided.
    pub(super) condition: Option<Symbol>,
    /// Whether its file or a file above it declares the transform of loops.
    pub(super) declares_loops: bool,
    /// Values that replace the import's own: those of a call of `Fn::Invoke`.
    pub(super) invoked: Option<NodeId>,
    /// Its imports and its resources, as far as they were asked for: [`Section`](super::groups::Section) is the index.
    pub(super) groups: [Option<Rc<Groups>>; 2],
}

impl Instance {
    pub(super) fn new(file: usize, name: Option<Symbol>, prefix: String, key: NodeId) -> Instance {
        Instance {
            file,
            parent: None,
            name,
            prefix,
            frame: FrameId::NONE,
            properties: None,
            misnamed: None,
            key,
            overrides: None,
            pushed: None,
            condition: None,
            declares_loops: false,
            invoked: None,
            groups: [None, None],
        }
    }
}
