//! Data about the declarations of loops.

use formwork_base::{Diagnostic, IdSet, codes};
use formwork_syntax::{NodeId, Tree};

/// Most nested loops.
pub(super) const MOST_DEPTH: usize = 5;

#[derive(Default)]
pub(super) struct Declared<'f> {
    pub(super) found: Vec<Diagnostic>,
    /// Keys of loops that cannot be expanded.
    pub(super) bad: IdSet<NodeId>,
    pub(super) deepest: Option<Deepest>,
    pub(super) each: Vec<ForEach<'f>>,
}

/// An `Fn::ForEach`, one per variable.
pub(super) struct ForEach<'f> {
    pub(super) key: NodeId,
    pub(super) name: &'f str,
    pub(super) identifier: NodeId,
}

pub(super) struct LoopAround<'f> {
    pub(super) key: NodeId,
    pub(super) name: Option<&'f str>,
}

pub(super) struct Variable<'f> {
    pub(super) name: &'f str,
    pub(super) may_be_object: bool,
    /// The key of the loop.
    pub(super) of: NodeId,
}

/// The place of a list function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    /// Not in a collection.
    None,
    /// The collection of an `Fn::ForEach` that CloudFormation supports.
    Plain,
    /// The collection of a loop that is only expanded here.
    Full,
}

/// The innermost of loops nested too deep.
#[derive(Clone, Copy)]
pub(super) struct Deepest {
    pub(super) key: NodeId,
    pub(super) depth: usize,
    /// Set when the first loop over the limit is an `Fn::Map`.
    pub(super) is_map: bool,
}

impl Deepest {
    pub(super) fn diagnostic(self, tree: &Tree) -> Diagnostic {
        let depth = self.depth;
        let (code, sentence) = if self.is_map {
            (
                codes::MAP_DEPTH,
                format!(
                    "Template error: Fn::Map nesting depth of {depth} exceeds the maximum allowed depth of {MOST_DEPTH}"
                ),
            )
        } else {
            (
                codes::LOOP_DEPTH,
                format!(
                    "Fn::ForEach nesting depth of {depth} exceeds the maximum allowed depth of 5. CloudFormation supports up to 5 nested Fn::ForEach loops."
                ),
            )
        };
        Diagnostic::new(code, format!("loops are nested {depth} levels deep: `{sentence}`"))
            .at(tree.span(self.key))
            .label("the innermost loop")
            .help("expand one of the loops by hand, or join two collections into one")
    }
}
