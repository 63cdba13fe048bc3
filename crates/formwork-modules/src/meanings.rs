//! The meanings of names, by their places. `find_meanings` finds them.

use std::rc::Rc;

use formwork_base::IdMap;
use formwork_syntax::{NodeId, Symbol};

use super::instance::InstanceId;
use super::lookup::Inserted;
use super::name_kind::NameKind;

pub(super) enum TextPart {
    Text(Box<str>),
    Literal(Box<str>),
    Name(Box<str>, NameKind),
    /// A constant, whose string is a part of its own.
    Constant(Inserted),
}

pub(super) type TextParts = Vec<TextPart>;

/// The place of a reference: the node with the name, and the index of the file. An included node may be part of two
/// files.
type ReferenceKey = (NodeId, usize);

#[derive(Default)]
pub(super) struct Meanings {
    pub(super) references: IdMap<ReferenceKey, Rc<NameKind>>,
    pub(super) texts: IdMap<ReferenceKey, Rc<TextParts>>,
    /// Outputs that instances refer to, by the whole reference.
    pub(super) outputs: IdMap<(Symbol, InstanceId), Inserted>,
}
