//! The meanings of names, by their places. `slots` finds them.

use std::rc::Rc;

use formwork_base::IdMap;
use formwork_syntax::{NodeId, Symbol};

use super::found::Inserted;
use super::instance::InstanceId;
use super::name_kind::NameKind;

pub(super) enum Slot {
    Text(Box<str>),
    Literal(Box<str>),
    Name(Box<str>, NameKind),
    /// A constant, whose string is a part of its own.
    Constant(Inserted),
}

pub(super) type TextSlots = Vec<Slot>;

/// The place of a reference: the node with the name, and the index of the file. An included node may be part of two
/// files.
type Place = (NodeId, usize);

#[derive(Default)]
pub(super) struct Slots {
    pub(super) references: IdMap<Place, Rc<NameKind>>,
    pub(super) texts: IdMap<Place, Rc<TextSlots>>,
    /// Outputs that instances refer to, by the whole reference.
    pub(super) outputs: IdMap<(Symbol, InstanceId), Inserted>,
}
