//! The facts of one service, decoded: strings, nodes and types in rows that refer to each other by number.

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
use crate::rule::Rules;
use crate::{Date, Kinds, Number};

pub(crate) type StrId = u32;
pub(crate) type NodeId = u32;

/// All facts of a service, or of one private type.
#[derive(Debug, Default)]
pub struct Block {
    /// Strings without duplicates.
    pub(crate) strings: Strings,
    pub(crate) nodes: Vec<NodeData>,
    /// Rows of all nodes, those of a node sorted by name.
    pub(crate) properties: Vec<PropertyData>,
    /// Rows of all nodes, those of a node in the order of [`Facet`].
    pub(crate) facets: Vec<Facet>,
    /// Types sorted by name.
    pub(crate) types: Vec<TypeData>,
    pub(crate) runtimes: Vec<RuntimeData>,
    pub(crate) patterns: Cache,
    pub(crate) rules: Rules,
}

impl Block {
    /// Returns `true` if two blocks have the same facts. Both must be minimized.
    #[cfg(feature = "write")]
    pub fn is_equivalent(&self, other: &Block) -> bool {
        encode(self) == encode(other)
    }

    pub(crate) fn str(&self, id: StrId) -> &str {
        self.strings.get(id)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    pub(crate) text: String,
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

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct NodeData {
    pub(crate) kinds: Kinds,
    /// Set if only the properties and names that match a name pattern are allowed.
    pub(crate) closed: bool,
    pub(crate) unique: bool,
    /// Set if letter case of the values does not count.
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

/// A fact about a node. A list is several consecutive facts of the same kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Facet {
    Additional(NodeId),
    Items(NodeId),
    /// Pattern of names, and the node of their values.
    NamePattern(StrId, NodeId),
    /// A name that is required and is not a property of the node itself.
    Required(StrId),
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
    /// Exactly one of these names.
    RequiredXor(StrId),
    /// At least one of these names.
    RequiredOr(StrId),
    /// The first name needs the second.
    DependentRequired(StrId, StrId),
    DependentExcluded(StrId, StrId),
}

/// Names from the properties of a type downwards; `*` is an element of a list or any key of a map.
pub(crate) type PathData = Box<[StrId]>;

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
    /// Number of a set of Regions; `None` if the Regions are not known.
    pub(crate) regions: Option<u32>,
    pub(crate) facts: Facts<StrId>,
}

/// Facts kept by hand (`data/schemas/*.tsv`). Strings are numbers or themselves.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts<S> {
    /// Parts of the value of `Ref`, where it is not the primary identifier.
    pub reference: Box<[S]>,
    /// Attributes that the schema does not mark; `*` is every property.
    pub attributes: Box<[S]>,
    /// Properties that cause a replacement in the older specification; `true`: always.
    pub older: Box<[(S, bool)]>,
    /// Data that is lost with the resource.
    pub stateful: Option<Stateful>,
    /// Paths of policies and permissions (dots lead inside; empty: the resource), with their class.
    pub policies: Box<[(S, S)]>,
    /// Rules between properties: the path of the value, and the rule as JSON.
    pub rules: Box<[(S, S)]>,
}

impl<S> Default for Facts<S> {
    fn default() -> Facts<S> {
        Facts {
            reference: Box::default(),
            attributes: Box::default(),
            older: Box::default(),
            stateful: None,
            policies: Box::default(),
            rules: Box::default(),
        }
    }
}

/// The order in which CloudFormation replaces a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplacementStrategy {
    /// Creates the new resource, then deletes the old one.
    CreateThenDelete,
    /// Deletes the old resource, then creates the new one.
    DeleteThenCreate,
}

/// The end of a type's service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifecycle {
    /// The announced stage.
    pub stage: Stage,
    /// Start or end of the stage, if it is known.
    pub date: Option<Date>,
}

/// A stage at the end of a service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// New customers are not accepted.
    Maintenance,
    /// The service has an announced end.
    Sunset,
    /// The service has ended.
    Shutdown,
}

/// Data of a type that is lost with the resource (reference/plan.md#data).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stateful {
    /// Set if cfn-lint lists the type, too.
    pub listed: bool,
    /// Set if `DeletionPolicy: Snapshot` is possible.
    pub snapshot: bool,
    /// Set if CloudFormation deletes the resource only when it is empty.
    pub deleted_only_when_empty: bool,
    /// The policy of a resource without a `DeletionPolicy`, where it is not `Delete`.
    pub default_policy: Option<Policy>,
}

/// The policy of a resource without a `DeletionPolicy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// A snapshot is taken.
    Snapshot,
    /// A snapshot is taken of an instance outside of a cluster (`DBClusterIdentifier` is not set).
    SnapshotWithoutCluster,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuntimeData {
    pub(crate) name: StrId,
    pub(crate) deprecated: Option<Date>,
    pub(crate) create_block: Option<Date>,
    pub(crate) update_block: Option<Date>,
    pub(crate) successor: Option<StrId>,
}
