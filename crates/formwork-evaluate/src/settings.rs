//! Choices of a run: what is computed, and whose behaviour is followed.

use formwork_base::{Limits, Severity};

/// How much of a template is computed (reference/values.md#modes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Loops, and constructs that plain CloudFormation does not have, if constant. References are kept.
    Keep,
    /// As `Keep`, and all such constructs from the known values.
    Pin,
    /// All that is known: CloudFormation's processed template.
    All,
    /// `All`, and everything that the values decide: what would be deployed.
    Resolve,
}

/// Whose behaviour is followed where the tools disagree (reference/transform.md#compat).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compat {
    /// CloudFormation's, but an empty string is an empty collection.
    Formwork,
    /// CloudFormation's to the letter.
    Aws,
    /// SAM CLI's.
    Sam,
}

/// Which loops are left for CloudFormation although their items are not known
/// (reference/packaging.md#nested, reference/packaging.md#loops).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnresolvedLoops {
    /// None.
    #[default]
    None,
    /// Those over a name that is not declared, unless a local file is named in them.
    Undeclared,
    /// Those over such a name, and those whose collection needs values that may be passed later, unless a local file is
    /// named in them.
    WithoutValue,
    /// Those whose collection is not known, unless a local file is named in them.
    Unknown,
}

/// What evaluation may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Neither parameters nor conditions: what is known without them is *constant*.
    Constant,
    /// Every known value.
    Full,
}

/// Choices of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How much is computed.
    pub values: Values,
    /// Whether the functions of `AWS::LanguageExtensions` are expanded.
    pub language_extensions: bool,
    /// Whose behaviour is followed.
    pub compat: Compat,
    /// Loops that are left for CloudFormation.
    pub unresolved_loops: UnresolvedLoops,
    /// How bad it is that a loop or a policy needs a value that is not passed. A warning means that it is not
    /// checked.
    pub value_missing: Severity,
    /// Whether what the values at hand take out is looked at, too: names, layouts and kinds, as far as they need no
    /// value.
    pub looks_at_all: bool,
    /// Bounds on the work.
    pub limits: Limits,
}
