//! The options of a run.

use std::ops::Range;
use std::sync::Arc;

use formwork_base::{FileBytes, Limits, Selection};
use formwork_evaluate::{Compat, UnresolvedLoops, ValueSource, Values};
use formwork_rules::rules::ValueOfAll;
use formwork_schemas::Schemas;
use formwork_template::PseudoParameter;

use crate::parent::Parent;

/// Whether the functions of `AWS::LanguageExtensions` are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LanguageExtensions {
    /// When the template's Transform names it.
    #[default]
    Auto,
    /// Whatever Transform lists.
    Always,
    /// Never.
    Never,
}

/// What becomes of a rule that cannot be evaluated, in `rules check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnknownRules {
    /// It is an error.
    #[default]
    Fail,
    /// It is a warning.
    Warn,
    /// Nothing is reported.
    Skip,
}

/// A value passed for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterValue {
    /// Name of the parameter.
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

/// A file that was named beside the template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its path from the directory of the template.
    pub path: String,
    /// Its path as reports show it: as it was typed.
    pub display: String,
    /// The content of the file.
    pub bytes: FileBytes,
}

/// The options of a run. The defaults are those of `formwork expand`.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Values of parameters; later ones win over earlier ones, and over files.
    pub parameters: Vec<ParameterValue>,
    /// Parameters files; later ones win.
    pub parameter_files: Vec<SourceFile>,
    /// Values that parameters have when neither `configurations`, a file nor `parameters` sets them.
    pub configured_parameters: Vec<ParameterValue>,
    /// Configuration files; later ones win, and parameters files win over them.
    pub configurations: Vec<Configuration>,
    /// Names of parameters whose value is one that a stack keeps and nobody knows: their Default does
    /// not count.
    pub previous_value_parameters: Vec<String>,
    /// Values of pseudo parameters; the elements of a list are separated by commas.
    pub pseudo: Vec<(PseudoParameter, String)>,
    /// Account snapshots; later ones win, type by type.
    pub accounts: Vec<SourceFile>,
    /// What a driver found out of the account: it takes precedence over snapshots.
    pub live_account: Option<SourceFile>,
    /// Template constraints of Service Catalog: more rules.
    pub constraints: Vec<SourceFile>,
    /// What `Fn::ValueOfAll` looks at.
    pub value_of_all: ValueOfAll,
    /// What becomes of rules that cannot be evaluated, in `rules check`.
    pub unknown_rules: UnknownRules,
    /// Whether the language extensions are expanded.
    pub language_extensions: LanguageExtensions,
    /// How much `expand` computes.
    pub values: Values,
    /// Whose behaviour is followed where the tools disagree.
    pub compat: Compat,
    /// Loops that are left for CloudFormation when their items are not known.
    pub unresolved_loops: UnresolvedLoops,
    /// Whether warnings are errors.
    pub strict: bool,
    /// Which diagnostics are reported.
    pub selection: Selection,
    /// Whether authors may suppress diagnostics in the template.
    pub heeds_suppressions: bool,
    /// Whether a check leaves out errors that make the output wrong, where [`Options::selection`] or a suppression with a
    /// reason names their code in full. Only for runs whose result is the report.
    pub leaves_out_errors: bool,
    /// Whether CloudFormation has to accept the template as it is: what it rejects is an error of a check,
    /// too.
    pub for_service: bool,
    /// Whether a name that exists nowhere is only a warning.
    pub allow_unresolved: bool,
    /// What is wanted of modules.
    pub modules: formwork_expand::modules::Choices,
    /// Whether declarations are left out that only computed parts used: in outputs of `expand` and `resolve`.
    pub prune: bool,
    /// Bounds on the work.
    pub limits: Limits,
    /// The prefix of the path of the template and its modules when they are shown, such as
    /// `templates/`.
    pub display_prefix: String,
    /// Whether a template of the same run imports it: it is judged as a module.
    pub is_imported: bool,
    /// What is known of resource types; none to judge no properties.
    pub schemas: Option<Arc<Schemas>>,
    /// Who uses the template as a nested one: set by [`Options::of_nested`].
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
            values: Values::Keep,
            compat: Compat::Formwork,
            unresolved_loops: UnresolvedLoops::None,
            strict: false,
            selection: Selection::default(),
            heeds_suppressions: true,
            leaves_out_errors: false,
            for_service: false,
            allow_unresolved: false,
            modules: formwork_expand::modules::Choices::default(),
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
    /// The same for a check whose result is the report: for `check`, and for editors, which show what it finds. Values
    /// that are known are looked at, rules that cannot be evaluated are warnings, and `schemas` judge the resources.
    #[must_use]
    pub fn for_check(self, schemas: Option<Arc<Schemas>>) -> Options {
        Options { values: Values::Resolve, unknown_rules: UnknownRules::Warn, leaves_out_errors: true, schemas, ..self }
    }

    /// What `expand` and `resolve` compile with, where a check compiles with these: they judge no properties.
    #[must_use]
    pub fn for_output(&self, values: Values) -> Options {
        Options { values, schemas: None, ..self.clone() }
    }

    /// What a nested template is compiled with, when its parent was compiled with these.
    #[must_use]
    pub fn of_nested(&self, parent: Parent) -> Options {
        Options {
            // What is not known here is known when the stack is deployed.
            unresolved_loops: UnresolvedLoops::Unknown,
            parent: Some(Arc::new(parent)),
            ..self.without_own()
        }
    }

    /// The same without what is of one template alone: its values, its place in the run.
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
