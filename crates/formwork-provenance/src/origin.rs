//! Where a node came from (reference/provenance.md#origins).

use formwork_base::{FrameKind, Span};
use formwork_evaluate::ValueSource;
use formwork_syntax::{FrameId, NodeId};

/// How a node of the output came to be. The order is that of the numbers in a source map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rule {
    /// Written so.
    Copied,
    /// A key made by a loop.
    Key,
    /// The value of a name.
    Ref,
    /// Computed by a function.
    Computed,
    /// An argument that a function chose.
    Chosen,
    /// An entry of the Mappings section.
    LookedUp,
    /// A module's output.
    Output,
    /// Put in by an override.
    Override,
    /// An entry of a merge.
    Merged,
    /// A call that is kept, its arguments computed.
    Reduced,
    /// Made by Formwork.
    Generated,
}

impl Rule {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Copied => "copied",
            Rule::Key => "key",
            Rule::Ref => "ref",
            Rule::Computed => "computed",
            Rule::Chosen => "chosen",
            Rule::LookedUp => "looked-up",
            Rule::Output => "output",
            Rule::Override => "override",
            Rule::Merged => "merged",
            Rule::Reduced => "reduced",
            Rule::Generated => "generated",
        }
    }
}

/// Where a value's text came from.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Source {
    /// What it is.
    pub kind: FrameKind,
    /// Variable, parameter, condition, `Map.key.key`.
    pub name: String,
    /// The string that it returned; `true` or `false` of a condition; `None` for lists and objects.
    pub value: Option<String>,
    /// The place of the source; [`Span::NONE`] for values of the command line.
    pub span: Span,
    /// The source of a parameter's value.
    pub given: Option<ValueSource>,
    /// The iteration, for a loop's variable.
    pub frame: FrameId,
}

/// Where a node of the output came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Origin {
    /// The authored node at that place.
    pub site: NodeId,
    /// The primary place: of the site, or of its key for maps and lists.
    pub span: Span,
    /// The context that it is seen in.
    pub frame: FrameId,
    /// How it came to be.
    pub rule: Rule,
    /// Where its text came from, nearest first.
    pub sources: Vec<Source>,
}
