//! Instances: uses of modules.

use std::rc::Rc;

use formwork_syntax::{Entry, FrameId, NodeId, Symbol};

use super::groups::Groups;

/// The number of an instance. Each name of a file has a meaning per instance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct InstanceId(u32);

impl InstanceId {
    pub(super) const ROOT: InstanceId = InstanceId(0);

    pub(super) fn new(at: usize) -> InstanceId {
        InstanceId(at as u32)
    }

    #[inline]
    pub(super) fn at(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ImportState {
    Instance(InstanceId),
    Gone(NodeId),
}

#[derive(Clone)]
pub(super) struct Instance {
    pub(super) file: usize,
    pub(super) parent: Option<InstanceId>,
    /// Name of the import, with its index; `None` for the root template.
    pub(super) name: Option<Symbol>,
    pub(super) prefix: String,
    pub(super) frame: FrameId,
    pub(super) properties: Option<NodeId>,
    /// An unknown attribute of the import with an object, which may be meant as its `Properties`.
    pub(super) misnamed: Option<Entry>,
    pub(super) key: NodeId,
    /// `Overrides` of the import, whose values are those of the importing file.
    pub(super) overrides: Option<NodeId>,
    /// Full name of the condition that everything in the instance depends on.
    pub(super) pushed: Option<Symbol>,
    /// The full name of its import's own condition, if undecided.
    pub(super) condition: Option<Symbol>,
    /// Set when its file or a file above it declares the transform of loops.
    pub(super) declares_loops: bool,
    /// Values of a call of `Fn::Invoke`, which replace the import's own.
    pub(super) invoked: Option<NodeId>,
    /// The imports and resources, if requested before, indexed by [`Section`](super::groups::Section).
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
