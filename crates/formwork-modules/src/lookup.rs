//! Results of the look-up of references (reference/modules/references.md#lookup).

use formwork_base::FrameKind;
use formwork_syntax::{NodeId, Symbol};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LookupResult {
    /// Nothing that is known here: the reference is kept.
    Nothing,
    Value(Inserted),
    One(Target),
    /// The targets in all copies, for a selector of all, each with its condition if undecided.
    Many(Vec<(Target, Option<Symbol>)>),
}

/// A value that replaces a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The kind of the source of the value.
    pub kind: FrameKind,
    /// The name in the reference.
    pub name: Symbol,
    /// The value at the place where it was computed.
    pub value: NodeId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) id: String,
    pub(super) attribute: Option<String>,
}

impl Target {
    /// Returns the target as a variable of `Fn::Sub`.
    pub(super) fn written(&self) -> String {
        match &self.attribute {
            Some(attribute) => [&self.id, ".", attribute].concat(),
            None => self.id.clone(),
        }
    }
}
