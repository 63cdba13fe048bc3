//! All checks, which change nothing: the template's structure, its references, parameter values, quotas, properties against the schemas of their types.
//!
//! The input is a [`Context`]: tree, template, and facts about the run; diagnostics are added to it. [`Severities`]
//! decides which checks run for a goal, and how severe a finding is there (reference/command-line.md#checks).
//!
//! Begin reading in [`checks`]: `before` checks the template as written, `after` the expanded one, `deployed` only the
//! parts that would be deployed, `advise` runs last. A check is a file there; `checks/schemas` checks properties of
//! resources. [`parameters`] validates values.
//!
//! # Suppressions
//!
//! [`suppressions`] reads the suppressions of authors, in comments and Metadata, of every file that the tree has nodes
//! of. The end of a run removes suppressed diagnostics before `--strict` raises anything, and those that are not
//! selected with them. A diagnostic that is added to a report later passes the same two filters.

pub mod checks;
pub mod parameters;
pub mod suppressions;

use formwork_base::{Code, Diagnostic, Diagnostics, Goal, IdSet, Selection, Severities, Severity, SourceMap, Span};
use formwork_syntax::{Document, Entry, FrameId, Kind, NodeId, NodeSet, Tree, symbol};
use formwork_template::{NamePatterns, PseudoParameter, Section, Template};
use rustc_hash::FxHashSet;

/// The input and output of checks.
pub struct Context<'c> {
    /// The tree of all files.
    pub tree: &'c Tree,
    /// The files, for their sizes.
    pub sources: &'c SourceMap,
    /// The file of the template.
    pub document: Document,
    /// The template as written.
    pub template: &'c Template,
    /// Root of the result.
    pub result: NodeId,
    /// The goal that the template is compiled for.
    pub goal: Goal,
    /// Set if `AWS::LanguageExtensions` is expanded.
    pub language_extensions: bool,
    /// Keys of entries that have to be valid whatever the goal.
    pub strict: Option<&'c NodeSet>,
    /// The files that the template was assembled from, as they are written.
    pub written: Option<Written<'c>>,
    /// Root of the template with its loops expanded, as far as that was done.
    pub unrolled: NodeId,
    /// Root of what the serverless transform makes of it; `None` where that is not known.
    pub becomes: Option<NodeId>,
    /// Names that loops may generate which are not checked.
    pub unchecked: &'c NamePatterns,
    /// Set if the template is sent to CloudFormation next, so that it has to be accepted as it is.
    pub for_service: bool,
    /// Set if an unknown name is only a warning (`--allow-unresolved`).
    pub allow_unresolved: bool,
    /// Set if a template of the run imports it, in which its names are looked up.
    pub is_imported: bool,
    /// The codes that are reported.
    pub selection: &'c Selection,
    /// The user of a nested template; `None` for the template of the run.
    pub parent: Option<Parent<'c>>,
    /// The findings.
    pub diagnostics: &'c mut Diagnostics,
}

/// The files that a template was assembled from: itself and its modules.
#[derive(Clone, Copy, Debug)]
pub struct Written<'c> {
    /// Roots of the files, each with the import that it belongs to.
    pub documents: &'c [(NodeId, FrameId)],
    /// Keys of resources that are not in the result as they are written.
    pub changed: &'c IdSet<NodeId>,
    /// IDs of resources that a false condition of a module removed.
    pub removed: &'c FxHashSet<String>,
}

/// A template that uses another one as a nested stack.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'c> {
    /// Logical ID of the nested stack.
    pub resource: &'c str,
    /// Path of the nested template.
    pub path: &'c str,
    /// Place of the logical ID.
    pub key: Span,
    /// Names of all parameters that are passed; `None` when they are not all known.
    pub names: Option<&'c [(String, Span)]>,
}

impl<'c> Context<'c> {
    /// Returns the distinct modules of the template as they are written, with the import that each belongs to. The
    /// template itself has checks of its own.
    pub(crate) fn modules(&self) -> Vec<(NodeId, FrameId)> {
        let documents = self.written.map_or(&[][..], |written| written.documents);
        let mut seen = FxHashSet::default();
        let is_module = |root: NodeId| root != self.document.root && self.tree.kind(root) == Kind::Map;
        let modules = documents.iter().filter(|(root, _)| is_module(*root) && seen.insert(self.tree.span(*root)));
        modules.copied().collect()
    }

    /// Returns the context with the loops expanded at `root`. Entries with a key in `members` have to be valid whatever
    /// the goal.
    #[must_use]
    pub fn unrolled(mut self, root: NodeId, members: &'c NodeSet) -> Context<'c> {
        self.unrolled = root;
        self.strict = Some(members);
        self
    }

    /// Returns the context with what the serverless transform makes of the template.
    #[must_use]
    pub fn becoming(mut self, root: Option<NodeId>) -> Context<'c> {
        self.becomes = root;
        self
    }

    /// Returns the context without checks of the names that some loops may generate.
    #[must_use]
    pub fn without(mut self, unchecked: &'c NamePatterns) -> Context<'c> {
        self.unchecked = unchecked;
        self
    }

    /// Returns `true` if `${name}` is valid inside `Fn::Sub`: a parameter, a pseudo parameter, a resource or an
    /// attribute of one.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        if PseudoParameter::from_name(name).is_some() {
            return true;
        }
        let is_resource = |name: &str| {
            let resources = self.tree.get(self.template.root, symbol::RESOURCES);
            resources.is_some_and(|resources| self.tree.get_text(resources, name).is_some())
        };
        if let Some((resource, _)) = name.split_once('.') {
            return is_resource(resource);
        }
        let symbol = self.tree.symbols().get(name);
        is_resource(name) || symbol.is_some_and(|name| self.template.parameter(name).is_some())
    }

    /// Returns the resources with the loops expanded, as far as that was done, until the run is cancelled.
    pub(crate) fn unrolled_resources(&self) -> impl Iterator<Item = Entry> + use<'_, 'c> {
        let section = self.tree.get(self.unrolled, symbol::RESOURCES);
        let resources = section.into_iter().flat_map(|section| self.tree.entries(section));
        resources.take_while(|_| !self.is_cancelled())
    }

    /// Returns the entries of a section with the loops expanded and nothing evaluated, for errors of a template as it
    /// is written. Where the result is the deployed template, entries that a condition removed are left out.
    pub(crate) fn judged(&self, section: Section) -> Vec<Entry> {
        let tree = self.tree;
        let members = |root: NodeId| tree.get(root, section.symbol());
        let left = members(self.result).filter(|_| self.goal == Goal::Resolve);
        let entries = members(self.unrolled).into_iter().flat_map(|section| tree.entries(section));
        let is_left = |entry: &Entry| left.is_none_or(|left| tree.get(left, tree.symbol(entry.key)).is_some());
        if self.goal == Goal::Resolve && left.is_none() {
            return Vec::new();
        }
        entries.filter(is_left).collect()
    }

    /// Returns the severity of an entry that CloudFormation rejects, by its key.
    pub(crate) fn severity_of(&self, key: NodeId) -> Severity {
        match self.strict {
            Some(members) if members.contains(key) => Severity::Error,
            _ => self.as_written(),
        }
    }

    /// Returns the severity of a template that CloudFormation rejects as written.
    pub(crate) fn as_written(&self) -> Severity {
        Severities::Written.told(self.goal)
    }

    /// Returns the severity of a result that exceeds the limits of CloudFormation.
    pub(crate) fn as_result(&self) -> Severity {
        Severities::Result.told(self.goal)
    }

    /// Returns the severity of a code; `None` when it is not checked.
    pub(crate) fn severity_of_code(&self, code: Code) -> Option<Severity> {
        code.info().severities.at(self.goal)
    }

    /// Returns `true` if the run was cancelled. Checks test it at each entry of a section.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.diagnostics.is_cancelled()
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic, severity: Severity) {
        self.diagnostics.push(diagnostic.severity(severity));
    }
}
