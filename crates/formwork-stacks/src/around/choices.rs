//! The choices of a command line for commands around a stack, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;
use formwork_project::{ConfigChoice, KnownKeys};
use formwork_run::{AwsChoices, InputChoices, default_template};

use super::TemplateOf;

/// The account and Region of a stack, and the configuration file that sets them.
#[derive(Clone, Debug)]
pub struct AccountChoices {
    /// The Region.
    pub region: Option<String>,
    /// Profile, endpoint and other settings of AWS access.
    pub aws: AwsChoices,
    /// The SAM CLI configuration file.
    pub config_file: Option<PathBuf>,
    /// The environment in the configuration file.
    pub config_env: Option<String>,
    /// Reads no configuration file.
    pub no_config: bool,
    /// The keys of `samconfig.toml` that other commands use.
    pub known_keys: KnownKeys,
}

/// The template whose lines are shown, and the account of the stack.
#[derive(Clone, Debug)]
pub struct LinesChoices {
    /// The template; by default the built one, otherwise that of the working directory.
    pub template_file: Option<PathBuf>,
    /// Inputs of the expansion, besides the values of the stack.
    pub inputs: InputChoices,
    /// The account of the stack.
    pub account: AccountChoices,
}

impl AccountChoices {
    /// Returns the `samconfig.toml` to read.
    pub fn config(&self) -> ConfigChoice<'_> {
        ConfigChoice {
            file: self.config_file.as_deref(),
            environment: self.config_env.as_deref(),
            is_left_out: self.no_config,
            source_folder: default_template::source_folder,
            known_keys: self.known_keys,
        }
    }
}

impl LinesChoices {
    /// Returns the template whose lines a command shows, by the section of samconfig.toml for `command`.
    pub fn template<'a>(&'a self, command: &'a str, report: &ReportChoices) -> TemplateOf<'a> {
        TemplateOf {
            command,
            named: self.template_file.as_deref(),
            inputs: &self.inputs,
            is_strict: report.strict,
            is_verbose: report.verbose,
        }
    }
}
