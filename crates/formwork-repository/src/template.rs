//! What a template has in common with others.

use formwork_base::Span;

use crate::name::Name;

/// The ways in which a value goes from one stack to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `Export` of an output, and `Fn::ImportValue`: CloudFormation keeps an export that is in use.
    Export,
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
    /// The authored name.
    pub span: Span,
    /// The file of the authored name, as it is shown: that of the template, of a part of it, or of a module.
    pub file: String,
    /// The line of the authored name.
    pub line: u32,
    /// Set when a condition decides whether it exists.
    pub is_conditional: bool,
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
}

/// What a template has in common with others, with the values of one stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Template {
    /// The path, as it is shown.
    pub path: String,
    /// The name of the stack, if it is configured.
    pub stack: Option<String>,
    /// The Region, if it is configured.
    pub region: Option<String>,
    /// Names for others, in the order of the template.
    pub exports: Vec<Export>,
    /// Names of others, in the order of the template.
    pub imports: Vec<Import>,
    /// The logical IDs of its resources, sorted.
    pub resources: Vec<String>,
}

impl Template {
    /// Returns `true` without exports and imports.
    pub fn is_alone(&self) -> bool {
        self.exports.is_empty() && self.imports.is_empty()
    }

    /// Returns `true` if both templates may be deployed to the same Region.
    pub(crate) fn may_be_beside(&self, other: &Template) -> bool {
        match (&self.region, &other.region) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// Returns `true` if the templates are alternatives: most of their resources have the same logical IDs.
    pub(crate) fn is_variant_of(&self, other: &Template) -> bool {
        let least = self.resources.len().min(other.resources.len());
        let common = self.resources.iter().filter(|id| other.resources.binary_search(id).is_ok()).count();
        least > 0 && common * 2 >= least
    }
}
