//! Contexts in which a part of a template is seen.

use crate::Span;

/// Most contexts that one place has in a diagnostic: of more, both ends of the chain are kept. So the findings in each
/// of a chain of modules or nested stacks grow with the chain, and not with its square.
pub const MOST_CONTEXTS: usize = 64;

/// Removes the middle of a chain of contexts that has more than [`MOST_CONTEXTS`].
pub fn keep_ends<T>(chain: &mut Vec<T>) {
    if chain.len() > MOST_CONTEXTS {
        chain.drain(MOST_CONTEXTS / 2..chain.len() - MOST_CONTEXTS / 2);
    }
}

/// The kind of a context or source (reference/provenance.md#frames), in the order of the numbers in a source map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FrameKind {
    /// An iteration of a loop.
    Loop,
    /// A use of a module.
    Module,
    /// A package that a module came from.
    Package,
    /// A constant's value.
    Constant,
    /// A parameter's value.
    Argument,
    /// A module's output.
    Output,
    /// An override of a module's resource.
    Override,
    /// A fact about the account.
    Fact,
    /// A YAML alias or merge key.
    Alias,
    /// An entry of the `Mappings` section. A source only.
    Mapping,
    /// A condition. A source only.
    Condition,
    /// A pseudo parameter. A source only.
    Pseudo,
    /// A value that an override or a merge replaced. A source only.
    Replaced,
    /// A nested stack. A context of diagnostics only: a nested template has a tree of its own.
    Stack,
}

impl FrameKind {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            FrameKind::Loop => "loop",
            FrameKind::Module => "module",
            FrameKind::Package => "package",
            FrameKind::Constant => "constant",
            FrameKind::Argument => "argument",
            FrameKind::Output => "output",
            FrameKind::Override => "override",
            FrameKind::Fact => "fact",
            FrameKind::Alias => "alias",
            FrameKind::Mapping => "mapping",
            FrameKind::Condition => "condition",
            FrameKind::Pseudo => "pseudo",
            FrameKind::Replaced => "replaced",
            FrameKind::Stack => "stack",
        }
    }
}

/// A context that is needed to understand the place of a node: an iteration, an import of a module. Owned, for
/// diagnostics and answers; inside a tree frames are interned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The kind of the context.
    pub kind: FrameKind,
    /// Identifier of the loop variable, name of the import, parameter or constant, or logical ID of the nested stack.
    pub name: String,
    /// The item or value as a string, or the file of a module or nested template; `None` for lists, objects and without
    /// an item.
    pub value: Option<String>,
    /// Zero-based number of the iteration.
    pub index: Option<u32>,
    /// Number of iterations of the loop, if counted.
    pub length: Option<u32>,
    /// Name of the loop.
    pub loop_name: Option<String>,
    /// The key of the loop or import, or the reference.
    pub span: Span,
    /// The place of the item.
    pub item: Span,
}
