//! Everything that is checked and changes nothing: the template's structure, its references,
//! parameter values, the Rules section, quotas.
//!
//! One check a file in [`checks`]; [`parameters`] validates values; [`rules`] evaluates the Rules
//! section. Which command runs what, and how
//! bad a finding is there, stands in [`Command`] (reference/command-line.md#checks).

pub mod checks;
pub mod parameters;
pub mod rules;

use formwork_base::{Diagnostic, Diagnostics, Severity, SourceMap, Span};
use formwork_syntax::{Document, NodeId, Tree};
use formwork_template::{NamePattern, Template};
use rustc_hash::FxHashSet;

/// What a run is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Loops and language extensions are compiled away; other faults of the template are warnings.
    Expand,
    /// What would be deployed.
    Resolve,
    /// Every problem is wanted.
    Check,
    /// Every problem that keeps a template from being deployed.
    Deploy,
    /// Parameter values and the Rules section alone.
    Rules,
    /// The Rules section, for values that are looked for.
    Solve,
}

impl Command {
    /// Whether structure and quotas are looked at in all that a template may become, whatever its
    /// conditions say.
    pub fn is_thorough(self) -> bool {
        matches!(self, Command::Check | Command::Deploy)
    }

    /// How bad it is when the service refuses the template as written.
    pub fn severity(self) -> Severity {
        match self {
            Command::Expand => Severity::Warning,
            Command::Resolve | Command::Check | Command::Deploy | Command::Rules | Command::Solve => Severity::Error,
        }
    }

    /// How bad it is when the result exceeds what the service takes.
    pub fn result_severity(self) -> Severity {
        match self {
            Command::Expand | Command::Resolve => Severity::Warning,
            Command::Check | Command::Deploy | Command::Rules | Command::Solve => Severity::Error,
        }
    }
}

/// What checks look at.
pub struct Context<'c> {
    /// The tree.
    pub tree: &'c Tree,
    /// The files, for their sizes.
    pub sources: &'c SourceMap,
    /// The file of the template.
    pub document: Document,
    /// The template as written.
    pub template: &'c Template,
    /// What it became.
    pub result: NodeId,
    /// What the run is for.
    pub command: Command,
    /// Whether `AWS::LanguageExtensions` is worked off.
    pub language_extensions: bool,
    /// Keys of the members of sections that have to be right whatever the command.
    pub strict: Option<&'c FxHashSet<NodeId>>,
    /// The template with its loops unrolled, as far as that was done.
    pub unrolled: NodeId,
    /// Names that loops may generate which are not checked.
    pub unchecked: &'c [NamePattern],
    /// Whether the service is asked next, so that it has to accept the template as it is.
    pub for_service: bool,
    /// Whether a name that exists nowhere is only a warning (`--allow-unresolved`).
    pub allow_unresolved: bool,
    /// Who uses the template as a nested one; none for the template of the run.
    pub parent: Option<Parent<'c>>,
    /// What was found.
    pub diagnostics: &'c mut Diagnostics,
}

/// A template that uses another one as a nested stack.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'c> {
    /// Logical ID of the nested stack.
    pub resource: &'c str,
    /// Path of the nested template.
    pub path: &'c str,
    /// Where the logical ID is written.
    pub key: Span,
    /// Names of all parameters that are passed; `None` when they are not all known.
    pub names: Option<&'c [(String, Span)]>,
}

impl<'c> Context<'c> {
    /// The same when the loops are unrolled: some members, by their keys, have to be right whatever
    /// the command.
    #[must_use]
    pub fn unrolled(mut self, root: NodeId, members: &'c FxHashSet<NodeId>) -> Context<'c> {
        self.unrolled = root;
        self.strict = Some(members);
        self
    }

    /// The same where loops are not checked, which may generate these names.
    #[must_use]
    pub fn without(mut self, unchecked: &'c [NamePattern]) -> Context<'c> {
        self.unchecked = unchecked;
        self
    }

    /// How bad it is when the service refuses the member with this key.
    pub(crate) fn severity_of(&self, key: NodeId) -> Severity {
        match self.strict {
            Some(members) if members.contains(&key) => Severity::Error,
            _ => self.command.severity(),
        }
    }

    /// Adds a finding with a severity.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic, severity: Severity) {
        self.diagnostics.push(diagnostic.severity(severity));
    }
}
