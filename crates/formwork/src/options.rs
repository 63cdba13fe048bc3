//! The options of a run.

use std::ops::Range;
use std::sync::Arc;

use formwork_base::{FileBytes, Limits, Selection};
use formwork_evaluate::{Compat, UnresolvedLoops, ValueSource, Values};
use formwork_rules::ValueOfAll;
use formwork_schemas::Schemas;
use formwork_template::PseudoParameter;

use crate::parent::Parent;

/// When the functions of `AWS::LanguageExtensions` are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LanguageExtensions {
    /// When the template's `Transform` lists it.
    #[default]
    Auto,
    /// Always, whatever `Transform` lists.
    Always,
    /// Never.
    Never,
}

/// The treatment of rules that cannot be evaluated, in `rules check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnknownRules {
    /// Report an error.
    #[default]
    Fail,
    /// Report a warning.
    Warn,
    /// Report nothing.
    Skip,
}

/// The uses of the serverless transform, `AWS::Serverless-2016-10-31`. A check always runs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Serverless {
    /// It stays in the result, and CloudFormation runs it.
    #[default]
    Kept,
    /// It stays in the result; questions about the result find what it makes, too.
    Beside,
    /// The result is what it makes (`--serverless`).
    Output,
    /// It stays in the result; `Globals` are in the resources that they apply to, and implicit APIs are declared.
    Globals,
}

impl Serverless {
    /// Returns `true` if the result has the resources that the transform makes, or their `Globals`.
    pub(crate) fn is_output(self) -> bool {
        matches!(self, Serverless::Output | Serverless::Globals)
    }
}

/// A value passed for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterValue {
    /// The name of the parameter.
    pub name: String,
    /// The value of the parameter, as a string.
    pub value: String,
    /// The source of the value.
    pub given: ValueSource,
}

/// A configuration file with default values of parameters, such as samconfig.toml. Values for names that the template
/// does not declare are ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Configuration {
    /// The file. Its lines are never quoted.
    pub file: SourceFile,
    /// The values, each with the range of bytes that it has in the file.
    pub values: Vec<(ParameterValue, Range<usize>)>,
}

/// A file that is passed besides the template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path from the directory of the template.
    pub path: String,
    /// The path as reports show it: as it was typed.
    pub display: String,
    /// The content of the file.
    pub bytes: FileBytes,
}

/// The options of a run. The defaults are those of `formwork expand`.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Values of parameters; later ones take precedence over earlier ones, and over files.
    pub parameters: Vec<ParameterValue>,
    /// Parameters files; later ones take precedence.
    pub parameter_files: Vec<SourceFile>,
    /// Values of parameters that neither `configurations`, a file nor `parameters` set.
    pub configured_parameters: Vec<ParameterValue>,
    /// Configuration files; later ones take precedence, and parameters files over them.
    pub configurations: Vec<Configuration>,
    /// Names of parameters for which the stack keeps its previous value, which is unknown: their Default is ignored.
    pub previous_value_parameters: Vec<String>,
    /// Values of pseudo parameters; the elements of a list are separated by commas.
    pub pseudo: Vec<(PseudoParameter, String)>,
    /// Account snapshots; later ones take precedence, type by type.
    pub accounts: Vec<SourceFile>,
    /// Account data that a driver has fetched: it takes precedence over snapshots.
    pub live_account: Option<SourceFile>,
    /// Template constraints of Service Catalog: more rules.
    pub constraints: Vec<SourceFile>,
    /// The values that `Fn::ValueOfAll` evaluates.
    pub value_of_all: ValueOfAll,
    /// The treatment of rules that cannot be evaluated, in `rules check`.
    pub unknown_rules: UnknownRules,
    /// When the language extensions are expanded.
    pub language_extensions: LanguageExtensions,
    /// The use of the serverless transform.
    pub serverless: Serverless,
    /// The extent to which `expand` computes values.
    pub values: Values,
    /// The tool whose behaviour is followed where tools differ.
    pub compat: Compat,
    /// The treatment of loops whose items are not known: which of them are left to CloudFormation.
    pub unresolved_loops: UnresolvedLoops,
    /// Reports warnings as errors.
    pub strict: bool,
    /// The diagnostics that are reported.
    pub selection: Selection,
    /// Set when authors may suppress diagnostics in the template.
    pub heeds_suppressions: bool,
    /// Set when a check may leave out errors that make the output wrong, if [`Options::selection`] or a suppression
    /// with a reason has their full code. Only for runs whose result is the report.
    pub leaves_out_errors: bool,
    /// Set when CloudFormation has to accept the template as it is: a check also reports what it rejects.
    pub for_service: bool,
    /// Set to report a name that is declared nowhere as a warning only.
    pub allow_unresolved: bool,
    /// The settings of modules.
    pub modules: formwork_modules::Choices,
    /// Removes declarations that only computed parts used, in outputs of `expand` and `resolve`.
    pub prune: bool,
    /// The limits of the work.
    pub limits: Limits,
    /// The prefix of the displayed paths of the template and its modules, such as `templates/`.
    pub display_prefix: String,
    /// Set when a template of the same run imports it: it is checked as a module.
    pub is_imported: bool,
    /// The schemas of resource types; `None` to check no properties.
    pub schemas: Option<Arc<Schemas>>,
    /// The template that uses this one as a nested one: set by [`Options::of_nested`].
    pub parent: Option<Arc<Parent>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            parameters: Vec::new(),
            parameter_files: Vec::new(),
            configured_parameters: Vec::new(),
            configurations: Vec::new(),
            previous_value_parameters: Vec::new(),
            pseudo: Vec::new(),
            accounts: Vec::new(),
            live_account: None,
            constraints: Vec::new(),
            value_of_all: ValueOfAll::Account,
            unknown_rules: UnknownRules::Fail,
            language_extensions: LanguageExtensions::Auto,
            serverless: Serverless::Kept,
            values: Values::Keep,
            compat: Compat::Formwork,
            unresolved_loops: UnresolvedLoops::None,
            strict: false,
            selection: Selection::default(),
            heeds_suppressions: true,
            leaves_out_errors: false,
            for_service: false,
            allow_unresolved: false,
            modules: formwork_modules::Choices::default(),
            prune: false,
            limits: Limits::default(),
            display_prefix: String::new(),
            is_imported: false,
            schemas: None,
            parent: None,
        }
    }
}

impl Options {
    /// Returns the options for a check whose result is the report, for `check` and for editors: known values are used,
    /// rules that cannot be evaluated are warnings, and `schemas` validate the resources.
    #[must_use]
    pub fn for_check(self, schemas: Option<Arc<Schemas>>) -> Options {
        Options { values: Values::Resolve, unknown_rules: UnknownRules::Warn, leaves_out_errors: true, schemas, ..self }
    }

    /// Returns the options of `expand` and `resolve` for a check with these options: properties are not checked.
    #[must_use]
    pub fn for_output(&self, values: Values) -> Options {
        Options { values, schemas: None, ..self.clone() }
    }

    /// Returns the options of a nested template whose parent was compiled with these.
    #[must_use]
    pub fn of_nested(&self, parent: Parent) -> Options {
        Options {
            // Values that are unknown here are known when the stack is deployed.
            unresolved_loops: UnresolvedLoops::Unknown,
            parent: Some(Arc::new(parent)),
            ..self.without_own()
        }
    }

    /// The options without those of a single template: its values, its place in the run.
    pub(crate) fn without_own(&self) -> Options {
        Options {
            parameters: Vec::new(),
            parameter_files: Vec::new(),
            configured_parameters: Vec::new(),
            configurations: Vec::new(),
            previous_value_parameters: Vec::new(),
            constraints: Vec::new(),
            is_imported: false,
            parent: None,
            ..self.clone()
        }
    }
}
