//! What a template has in common with others.

use formwork_base::Span;

use crate::name::Name;

/// The ways in which a value goes from one stack to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `Export` of an output, and `Fn::ImportValue`: CloudFormation keeps an export that is in use.
    Export,
    /// An output of a stack with a known name, as `STACK.OUTPUT`, and `Fn::GetStackOutput`.
    Output,
    /// A parameter of the parameter store, and a dynamic reference or a parameter of the template that reads it.
    Stored,
}

/// A name that a template has for others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The way in which it is read.
    pub kind: Kind,
    /// The name.
    pub name: Name,
    /// The output or the resource.
    pub owner: String,
    /// The authored value, as JSON in one line.
    pub value: String,
    /// The authored name.
    pub span: Span,
    /// The file of the authored name, as it is shown: that of the template, of a part of it, or of a module.
    pub file: String,
    /// The line of the authored name.
    pub line: u32,
    /// Set when a condition decides whether it exists.
    pub is_conditional: bool,
    /// Set when the value is a list whose items are joined with commas.
    pub is_joined: bool,
}

/// A name that a template reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The way in which it is read.
    pub kind: Kind,
    /// The name.
    pub name: Name,
    /// The authored name.
    pub span: Span,
    /// The file of the authored name, as it is shown: that of the template, of a part of it, or of a module.
    pub file: String,
    /// The line of the authored name.
    pub line: u32,
    /// Set when the value is an item of a list.
    pub is_item: bool,
}

/// A value of a stack that its template does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongValue {
    /// The parameter.
    pub parameter: String,
    /// Where the stack is configured.
    pub source: String,
    /// The declaration of a parameter without a value; `None` for a value of no parameter.
    pub missing: Option<Span>,
    /// The section of parameters, or the template.
    pub span: Span,
    /// The parameter with a similar name.
    pub near: Option<String>,
}

/// What a template has in common with others, with the values of one stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Template {
    /// The path, as it is shown.
    pub path: String,
    /// The name of the stack, if it is configured.
    pub stack: Option<String>,
    /// The stage; `None` for a stack of all stages.
    pub stage: Option<String>,
    /// The Region, if it is configured.
    pub region: Option<String>,
    /// The account, if it is configured.
    pub account: Option<String>,
    /// Names for others, in the order of the template.
    pub exports: Vec<Export>,
    /// Names of others, in the order of the template.
    pub imports: Vec<Import>,
    /// The logical IDs of its resources, sorted.
    pub resources: Vec<String>,
    /// Set when it has errors: it may have names that are not known.
    pub is_broken: bool,
    /// Errors in the values of its stack.
    pub values: Vec<WrongValue>,
}

impl Template {
    /// Returns `true` without imports and without names that are meant for others.
    pub fn is_alone(&self) -> bool {
        self.imports.is_empty() && self.exports.iter().all(|export| export.kind == Kind::Output)
    }

    /// Returns `true` if both templates may be deployed in the same stage, Region and account.
    pub fn may_be_beside(&self, other: &Template) -> bool {
        let may_be = |one: &Option<String>, other: &Option<String>| one.is_none() || other.is_none() || one == other;
        may_be(&self.stage, &other.stage)
            && may_be(&self.region, &other.region)
            && may_be(&self.account, &other.account)
    }

    /// Returns `true` if the templates are alternatives: most of their resources have the same logical IDs.
    pub(crate) fn is_variant_of(&self, other: &Template) -> bool {
        let least = self.resources.len().min(other.resources.len());
        let common = self.resources.iter().filter(|id| other.resources.binary_search(id).is_ok()).count();
        least > 0 && common * 2 >= least
    }
}
