//! A use of a module.

use std::rc::Rc;

use formwork_syntax::{FrameId, NodeId, Symbol};
use rustc_hash::FxHashMap;

use super::conditions::Decided;
use super::imports::Group;
use super::overrides::OverrideChain;
use super::resources::ResourceGroup;

/// The number of an instance. Names in a file mean what they mean in one instance of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scope(pub(super) usize);

impl Scope {
    /// The root template.
    pub(super) const ROOT: Scope = Scope(0);
}

/// Something that is worked out when it is first asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lazy<T> {
    /// Not yet.
    Pending,
    /// It is being worked out; to ask for it now is a cycle.
    Busy,
    /// Done.
    Ready(T),
}

/// The value of a parameter or an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is this, in the result's terms.
    Value(NodeId),
    /// Nothing was given and there is no default.
    Unbound,
    /// It is wrong, which was reported.
    Poison,
}

/// A use of a module, or the root template.
pub(super) struct Instance {
    /// Number of its file.
    pub(super) file: usize,
    /// The instance that imports it.
    pub(super) parent: Option<Scope>,
    /// Name of the import, with its index.
    pub(super) name: String,
    /// What its names begin with in the result.
    pub(super) prefix: String,
    /// The chain of uses that leads to it.
    pub(super) frame: FrameId,
    /// `Properties` of the import.
    pub(super) properties: Option<NodeId>,
    /// Key of the import.
    pub(super) key: NodeId,
    /// Overrides that may concern its resources, innermost first.
    pub(super) overrides: Option<Rc<OverrideChain>>,
    /// Full name of the condition that everything in it depends on.
    pub(super) pushed: Option<String>,
    /// Values that stand in for the import's own: those of a call of `Fn::Invoke`.
    pub(super) invoked: Option<NodeId>,
    pub(super) bindings: FxHashMap<Symbol, Lazy<Bound>>,
    pub(super) conditions: FxHashMap<Symbol, Lazy<Decided>>,
    pub(super) outputs: FxHashMap<Symbol, Lazy<Bound>>,
    /// Values of parameters with the schema's conversions and defaults.
    pub(super) checked: Option<FxHashMap<Symbol, NodeId>>,
    /// The file's root with its loops unrolled.
    pub(super) root: Lazy<NodeId>,
    pub(super) imports: Option<Rc<Vec<Symbol>>>,
    pub(super) groups: FxHashMap<Symbol, Group>,
    pub(super) resources: Option<Rc<Vec<Symbol>>>,
    pub(super) resource_groups: FxHashMap<Symbol, ResourceGroup>,
}

impl Instance {
    pub(super) fn new(file: usize, name: String, prefix: String, key: NodeId) -> Instance {
        Instance {
            file,
            parent: None,
            name,
            prefix,
            frame: FrameId::NONE,
            properties: None,
            key,
            overrides: None,
            pushed: None,
            invoked: None,
            bindings: FxHashMap::default(),
            conditions: FxHashMap::default(),
            outputs: FxHashMap::default(),
            checked: None,
            root: Lazy::Pending,
            imports: None,
            groups: FxHashMap::default(),
            resources: None,
            resource_groups: FxHashMap::default(),
        }
    }
}
