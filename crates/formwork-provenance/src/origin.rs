//! The origin of a node (reference/provenance.md#origins).

use formwork_base::{FrameKind, Span};
use formwork_evaluate::ValueSource;
use formwork_syntax::{FrameId, NodeId};
use formwork_template::template::SERVERLESS;

/// The rule that produced a node of the output. The order is that of the numbers in a source map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Rule {
    /// The authored value.
    Copied,
    /// A key that a loop generated.
    Key,
    /// The value of a reference.
    Ref,
    /// The result of a function.
    Computed,
    /// An argument that a function returned.
    Chosen,
    /// An entry of the Mappings section.
    LookedUp,
    /// The output of a module.
    Output,
    /// The value of an override.
    Override,
    /// An entry of a merge.
    Merged,
    /// A call that is kept, with computed arguments.
    Reduced,
    /// A node that Formwork added.
    Generated,
    /// A node that the serverless transform made.
    Transformed,
}

impl Rule {
    /// The rules of nodes whose value no sources explain.
    pub(crate) const WITHOUT_SOURCES: [Rule; 3] = [Rule::Copied, Rule::Generated, Rule::Transformed];

    /// Returns `true` for nodes whose value no sources explain.
    pub(crate) fn is_without_sources(self) -> bool {
        Rule::WITHOUT_SOURCES.contains(&self)
    }

    /// Returns the name of the transform that made the node, if one did.
    pub fn by(self) -> Option<&'static str> {
        (self == Rule::Transformed).then_some(SERVERLESS)
    }

    /// Returns the name in reports.
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
            Rule::Transformed => "transformed",
        }
    }
}

/// A source of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Source {
    /// The kind of the source.
    pub kind: FrameKind,
    /// The variable, parameter, condition, or `Map.key.key`.
    pub name: String,
    /// The string that it returned; `true` or `false` for a condition; `None` for lists and objects.
    pub value: Option<String>,
    /// The span of the source; [`Span::NONE`] for values of the command line.
    pub span: Span,
    /// The source of a parameter's value.
    pub given: Option<ValueSource>,
    /// The iteration, for a loop's variable.
    pub frame: FrameId,
}

/// The origin of a node of the output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Origin {
    /// The authored node.
    pub site: NodeId,
    /// The primary span: of the authored node, or of its key for mappings and lists.
    pub span: Span,
    /// The context around it.
    pub frame: FrameId,
    /// The rule that produced it.
    pub rule: Rule,
    /// The sources of its value, nearest first.
    pub sources: Vec<Source>,
}
