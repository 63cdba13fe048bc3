//! What a node is made of.

use std::num::NonZeroU32;

/// A node of a tree. It means nothing without the tree that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) NonZeroU32);

impl NodeId {
    #[inline]
    pub(super) fn new(index: usize) -> NodeId {
        NodeId(NonZeroU32::new(index as u32).unwrap_or(NonZeroU32::MIN))
    }

    /// Its number: ids grow in the order in which nodes are made, so side tables are vectors.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize
    }
}

impl std::fmt::Debug for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// An entry of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Node of kind [`Kind::Key`].
    pub key: NodeId,
    /// Any other node.
    pub value: NodeId,
}

/// What a node is. The type of a scalar is decided once, by the reader, as CloudFormation reads it
/// (reference/reading.md#scalars); its written text is kept beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Nothing, `null`, `~`.
    Null,
    /// A Boolean, by any of the words of YAML 1.1.
    Bool,
    /// A plain number.
    Number,
    /// Text.
    String,
    /// A key of a map.
    Key,
    /// A list.
    List,
    /// A map.
    Map,
    /// A call of an intrinsic function: name and argument.
    Call,
}

/// How a node is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Style {
    /// Scalar without quotes; list or map in block style; call as a block map of one key.
    Plain,
    /// Scalar in single quotes.
    Single,
    /// Scalar in double quotes.
    Double,
    /// Literal block, `|`.
    Literal,
    /// Folded block, `>`.
    Folded,
    /// List, map or call in flow style; everything in JSON.
    Flow,
    /// Call by a short tag.
    Tag,
}

/// Marks of a node.
pub mod flags {
    /// Not authored: made by a stage.
    pub const MADE: u16 = 1;
    /// Made by the reader where an alias or merge key is written.
    pub const ALIAS: u16 = 1 << 1;
    /// A string computed by a stage; it is written whatever the source has in its place.
    pub const COMPUTED: u16 = 1 << 2;
    /// A call is here or below.
    pub const HAS_CALL: u16 = 1 << 3;
    /// A null is here or below.
    pub const HAS_NULL: u16 = 1 << 4;
    /// A string or key with `${` or `&{` is here or below.
    pub const HAS_PLACEHOLDER: u16 = 1 << 5;
    /// Something that is expanded with the loops is here or below: a key (which has the mark itself) `Fn::ForEach::...`,
    /// a call of `Fn::Map`, `Fn::Merge`, `Fn::Range` or `Fn::Zip`, `Ref` spelled `Fn::Ref`.
    pub const HAS_LOOP: u16 = 1 << 6;
    /// An alias or merge key was here or below.
    pub const HAS_ALIAS: u16 = 1 << 7;
    /// A call that plain CloudFormation does not have is here or below (see
    /// `Tree::is_construct`).
    pub const HAS_CONSTRUCT: u16 = 1 << 8;
    /// A call of `Fn::Transform`, or a key of that name, which has the mark itself, is here or below.
    pub const HAS_TRANSFORM: u16 = 1 << 9;
    /// A call whose place matters is here or below: of `Fn::ImportValue`, `Fn::GetStackOutput` or `Fn::GetAZs`, or of
    /// `Fn::If` whose condition is a call; or the name of a condition that is one.
    pub const HAS_PLACED: u16 = 1 << 10;
    /// A call of a function that Formwork does not know is here or below.
    pub const HAS_OTHER: u16 = 1 << 11;
    /// A key that is the name of a function (which has the mark itself) is beside others in a map here or below.
    pub const HAS_MIXED: u16 = 1 << 12;
    /// A map that was read here or below had two entries with one key.
    pub const HAS_LOST: u16 = 1 << 13;
    /// The root of a JSON text that has each entry and each element on a line of its own, and is otherwise as new JSON.
    pub const IN_LINES: u16 = 1 << 14;
    /// What in the text of a node is not as it is written out: it is never copied whole.
    pub const EDITED: u16 = HAS_ALIAS | HAS_LOST;
    /// What a node takes over from its children.
    pub const INHERITED: u16 = HAS_CALL
        | HAS_NULL
        | HAS_PLACEHOLDER
        | HAS_LOOP
        | HAS_ALIAS
        | HAS_CONSTRUCT
        | HAS_TRANSFORM
        | HAS_PLACED
        | HAS_OTHER
        | HAS_MIXED
        | HAS_LOST;
}

/// A node, 20 bytes.
///
/// `a` and `b` by kind: scalars: start and length of the text; key: symbol; list: start and number
/// of its links; map: start of its links and number of entries; call: start of its two links (name
/// and argument) and code of the function. `p` and `q`: start and end of the span, or, when made,
/// the authored node that it replaces and the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub(super) kind: Kind,
    pub(super) style: Style,
    pub(super) flags: u16,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) p: u32,
    pub(super) q: u32,
}

impl Node {
    pub(super) const UNUSED: Node = Node { kind: Kind::Null, style: Style::Plain, flags: 0, a: 0, b: 0, p: 0, q: 0 };
}

const _: () = assert!(size_of::<Node>() == 20);
