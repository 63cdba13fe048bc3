//! Data about the declarations of loops.

use formwork_base::{Diagnostic, IdSet, codes};
use formwork_syntax::{NodeId, Tree};

pub(super) const MOST_DEPTH: usize = 5;

#[derive(Default)]
pub(super) struct Declared<'f> {
    pub(super) found: Vec<Diagnostic>,
    pub(super) bad: IdSet<NodeId>,
    pub(super) deepest: Option<Deepest>,
    pub(super) each: Vec<ForEach<'f>>,
}

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
    pub(super) of: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    None,
    /// The collection of an `Fn::ForEach` that CloudFormation supports.
    Plain,
    Full,
}

#[derive(Clone, Copy)]
pub(super) struct Deepest {
    pub(super) key: NodeId,
    pub(super) depth: usize,
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
