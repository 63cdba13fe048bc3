//! Settings of a run: how much is computed, and whose behaviour is followed.

use formwork_base::{Limits, Severity};

/// The part of a template that is computed (reference/values.md#modes).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// Loops, and constructs that plain CloudFormation does not have, if constant. References are kept.
    Keep,
    /// Like `Keep`, and all such constructs from the known values.
    Pin,
    /// All known values: CloudFormation's processed template.
    All,
    /// `All`, and everything that the values decide: what would be deployed.
    Resolve,
}

/// The tool whose behaviour is followed where the tools disagree (reference/transform.md#compat).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compat {
    /// CloudFormation's behaviour, but an empty string is an empty collection.
    Formwork,
    /// CloudFormation's behaviour to the letter.
    Aws,
    /// SAM CLI's behaviour.
    Sam,
}

/// Loops that are left for CloudFormation although their items are not known (reference/packaging.md#nested,
/// reference/packaging.md#loops).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnresolvedLoops {
    /// No loops.
    #[default]
    None,
    /// Loops over a name that is not declared, unless a local file is named in them.
    Undeclared,
    /// Loops as for `Undeclared`, and those whose collection needs values that may be passed later, unless a local file
    /// is named in them.
    WithoutValue,
    /// Loops whose collection is not known, unless a local file is named in them.
    Unknown,
}

/// The values that evaluation may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Neither parameters nor conditions: a node that is known without them is *constant*.
    Constant,
    /// Every known value.
    Full,
}

/// Settings of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The part of a template that is computed.
    pub values: Values,
    /// Set if the functions of `AWS::LanguageExtensions` are expanded.
    pub language_extensions: bool,
    /// The tool whose behaviour is followed.
    pub compat: Compat,
    /// Loops that are left for CloudFormation.
    pub unresolved_loops: UnresolvedLoops,
    /// Severity for a loop or a policy that needs a value which is not passed. A warning means that it is not checked.
    pub value_missing: Severity,
    /// Set to check also the parts that the values at hand remove: names, layouts and kinds, as far as they need no
    /// value.
    pub looks_at_all: bool,
    /// Set to run the loops of the template that have no items with an unknown one, for checks of their bodies.
    pub has_unknown_items: bool,
    /// Bounds on the run.
    pub limits: Limits,
}
