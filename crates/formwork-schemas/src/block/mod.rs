//! The facts of one service, decoded: strings, nodes and types in rows that name each other by number.

mod decode;
#[cfg(feature = "write")]
mod encode;
#[cfg(feature = "write")]
mod minimize;

pub(crate) use decode::decode;
#[cfg(feature = "write")]
pub(crate) use encode::encode;
#[cfg(feature = "write")]
pub use minimize::minimize;

use crate::pattern_cache::Cache;
use crate::{Date, Kinds, Number};

/// The number of a string of a block.
pub(crate) type StrId = u32;
/// The number of a node of a block.
pub(crate) type NodeId = u32;

/// All facts of a service, or of one private type.
#[derive(Debug, Default)]
pub struct Block {
    /// Each once.
    pub(crate) strings: Strings,
    pub(crate) nodes: Vec<NodeData>,
    /// Rows of all nodes, those of a node sorted by name.
    pub(crate) properties: Vec<PropertyData>,
    /// Rows of all nodes, those of a node in the order of [`Facet`].
    pub(crate) facets: Vec<Facet>,
    /// Sorted by name.
    pub(crate) types: Vec<TypeData>,
    pub(crate) runtimes: Vec<RuntimeData>,
    /// Patterns that were compiled, by their string.
    pub(crate) patterns: Cache,
}

impl Block {
    /// Whether two blocks have the same facts, one by one. Both are minimized.
    #[cfg(feature = "write")]
    pub fn says_the_same(&self, other: &Block) -> bool {
        encode(self) == encode(other)
    }

    /// The string of a number; numbers of a block are its own.
    pub(crate) fn str(&self, id: StrId) -> &str {
        self.strings.get(id)
    }
}

/// Strings, one behind the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    pub(crate) text: String,
    /// Where each ends.
    pub(crate) ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn get(&self, id: StrId) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(id).copied());
        range.and_then(|(start, end)| self.text.get(start as usize..end as usize)).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn push(&mut self, text: &str) -> StrId {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.ends.len() as u32 - 1
    }
}

/// Rows of a table beside the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Rows {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Rows {
    pub(crate) fn of<T>(self, rows: &[T]) -> &[T] {
        rows.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// What is known of a value.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct NodeData {
    pub(crate) kinds: Kinds,
    /// No other names than the properties and those that a name pattern fits.
    pub(crate) closed: bool,
    pub(crate) unique: bool,
    /// Letter case of the values does not count.
    pub(crate) any_case: bool,
    pub(crate) properties: Rows,
    pub(crate) facets: Rows,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PropertyData {
    pub(crate) name: StrId,
    pub(crate) node: NodeId,
    pub(crate) required: bool,
}

/// One fact of a node. Lists are several of the same kind, one behind the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Facet {
    /// The node of a name that is not a property.
    Additional(NodeId),
    /// The node of a list's elements.
    Items(NodeId),
    /// The node of names that match.
    NamePattern(StrId, NodeId),
    /// A name that is required and is not a property of the node itself.
    Required(StrId),
    /// An allowed value.
    Value(StrId),
    Pattern(StrId),
    Format(StrId),
    MinLength(u64),
    MaxLength(u64),
    Minimum(Number),
    Maximum(Number),
    MinItems(u64),
    MaxItems(u64),
    MinProperties(u64),
    MaxProperties(u64),
    MultipleOf(Number),
    OneOf(NodeId),
    AnyOf(NodeId),
    AllOf(NodeId),
    /// Exactly one of these.
    RequiredXor(StrId),
    /// At least one of these.
    RequiredOr(StrId),
    /// The first needs the second.
    DependentRequired(StrId, StrId),
    /// The first excludes the second.
    DependentExcluded(StrId, StrId),
}

/// Names from the properties of a type downwards; `*` is an element of a list or any key of a map.
pub(crate) type PathData = Box<[StrId]>;

/// What is known of a type.
#[derive(Clone, Default, Debug)]
pub(crate) struct TypeData {
    pub(crate) name: StrId,
    pub(crate) root: NodeId,
    pub(crate) create_only: Box<[PathData]>,
    pub(crate) conditional: Box<[PathData]>,
    pub(crate) read_only: Box<[PathData]>,
    pub(crate) write_only: Box<[PathData]>,
    pub(crate) deprecated: Box<[PathData]>,
    pub(crate) identifier: Box<[PathData]>,
    pub(crate) has_handlers: bool,
    pub(crate) has_update: bool,
    pub(crate) taggable: bool,
    pub(crate) tag_updatable: bool,
    pub(crate) replacement_strategy: Option<ReplacementStrategy>,
    pub(crate) tag_property: Option<StrId>,
    pub(crate) lifecycle: Option<Lifecycle>,
    /// The number of a set of Regions; `None` if the Regions are not known.
    pub(crate) regions: Option<u32>,
    pub(crate) facts: Facts<StrId>,
}

/// Facts kept by hand (`data/schemas/*.tsv`), with numbers of strings or strings.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts<S> {
    /// Parts of what `Ref` returns, where it is not the primary identifier.
    pub reference: Box<[S]>,
    /// Attributes that the schema does not mark; `*` is every property.
    pub attributes: Box<[S]>,
    /// Properties that the older specification replaces for; true: for certain.
    pub older: Box<[(S, bool)]>,
    /// What is lost with the resource.
    pub stateful: Option<Stateful>,
    /// Paths of policies and permissions (dots lead inside; empty: the resource), with their class.
    pub policies: Box<[(S, S)]>,
}

impl<S> Default for Facts<S> {
    fn default() -> Facts<S> {
        Facts {
            reference: Box::default(),
            attributes: Box::default(),
            older: Box::default(),
            stateful: None,
            policies: Box::default(),
        }
    }
}

/// Whether CloudFormation creates the new resource first when it replaces one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplacementStrategy {
    /// The new one is created, then the old one deleted.
    CreateThenDelete,
    /// The old one is deleted, then the new one created.
    DeleteThenCreate,
}

/// The end of a type's service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifecycle {
    /// What is announced.
    pub stage: Stage,
    /// Since when, or until when, if it is known.
    pub date: Option<Date>,
}

/// A stage at the end of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// New customers are not accepted.
    Maintenance,
    /// It has an announced end.
    Sunset,
    /// It has ended.
    Shutdown,
}

/// What a type holds that is lost with the resource (reference/plan.md#data).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stateful {
    /// cfn-lint lists it, too.
    pub listed: bool,
    /// `DeletionPolicy: Snapshot` is possible.
    pub snapshot: bool,
    /// CloudFormation deletes it only when it is empty.
    pub deleted_only_when_empty: bool,
    /// What happens without a `DeletionPolicy`, where it is not `Delete`.
    pub default_policy: Option<Policy>,
}

/// A policy that holds when none is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// A snapshot is taken.
    Snapshot,
    /// A snapshot is taken of an instance that is in no cluster (`DBClusterIdentifier` is not set).
    SnapshotWithoutCluster,
}

/// A Lambda runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuntimeData {
    pub(crate) name: StrId,
    pub(crate) deprecated: Option<Date>,
    pub(crate) create_block: Option<Date>,
    pub(crate) update_block: Option<Date>,
    pub(crate) successor: Option<StrId>,
}
