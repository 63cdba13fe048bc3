//! What a reference finds (reference/modules/references.md#lookup).

use formwork_base::FrameKind;
use formwork_syntax::{NodeId, Symbol};

/// What a reference finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// Nothing that is known here: it stays as it is written.
    Nothing,
    /// A value of the result.
    Value(Inserted),
    /// Resources of the result, or attributes of them. `Many` when a selector means all copies.
    One(Target),
    /// The same for every copy, each with its condition where that is not decided.
    Many(Vec<(Target, Option<Symbol>)>),
}

/// A value that replaces a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// What it is the value of.
    pub kind: FrameKind,
    /// The name that was referred to.
    pub name: Symbol,
    /// The value where it was computed.
    pub value: NodeId,
}

/// A resource or an attribute of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// Full id.
    pub(super) id: String,
    /// Attribute; `None` for the resource itself.
    pub(super) attribute: Option<String>,
}

impl Target {
    /// It as text, as a variable of `Fn::Sub` names it.
    pub(super) fn written(&self) -> String {
        match &self.attribute {
            Some(attribute) => [&self.id, ".", attribute].concat(),
            None => self.id.clone(),
        }
    }
}
