//! The meanings of names that were found, by where they are written. `slots` finds them.

use std::rc::Rc;

use formwork_base::IdMap;
use formwork_syntax::{NodeId, Symbol};

use super::found::Inserted;
use super::instance::InstanceId;
use super::name_kind::NameKind;

/// A part of the text of `Fn::Sub`.
pub(super) enum Slot {
    /// Text.
    Text(Box<str>),
    /// The name in `${!Name}`.
    Literal(Box<str>),
    /// A variable as it is written, and what it means.
    Name(Box<str>, NameKind),
    /// A constant, whose text is a part of its own.
    Constant(Inserted),
}

/// The text of an `Fn::Sub`, part by part.
pub(super) type TextSlots = Vec<Slot>;

/// Where a reference is written: the node that holds the name, and the number of the file. What is included may be
/// part of two files.
type Place = (NodeId, usize);

/// The meanings that were found.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) references: IdMap<Place, Rc<NameKind>>,
    /// Strings of `Fn::Sub`.
    pub(super) texts: IdMap<Place, Rc<TextSlots>>,
    /// Outputs that instances refer to, by the whole reference.
    pub(super) outputs: IdMap<(Symbol, InstanceId), Inserted>,
}
