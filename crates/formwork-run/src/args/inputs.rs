//! Inputs of a template: arguments of commands that read one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use formwork::{Compat, Configuration, LanguageExtensions};

use super::{ConfigArgs, words};

const LANGUAGE_EXTENSIONS: [(&[&str], LanguageExtensions); 3] = [
    (&["auto"], LanguageExtensions::Auto),
    (&["always"], LanguageExtensions::Always),
    (&["never"], LanguageExtensions::Never),
];

const TOOLS: [(&[&str], Compat); 2] = [(&["aws"], Compat::Aws), (&["sam"], Compat::Sam)];

/// Arguments of commands that read a template.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct InputArgs {
    /// Pass parameter values: any number of `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE`.
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append, value_parser = parameter_word)]
    pub parameter_overrides: Vec<String>,
    /// Read parameter values from a file, in any of the usual shapes; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub parameters_file: Vec<PathBuf>,
    /// Use this parameter set of formwork.toml, below the values of `--parameter-overrides` and `--parameters-file`.
    #[arg(long, value_name = "NAME")]
    pub parameter_set: Option<String>,
    /// Set a pseudo parameter, such as `AWS::StackName=prod`; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub pseudo: Vec<String>,
    /// Set `AWS::Region`, and the Region of calls to AWS.
    #[arg(long, value_name = "NAME")]
    pub region: Option<String>,
    /// Set `AWS::AccountId`.
    #[arg(long, value_name = "ID")]
    pub account_id: Option<String>,
    /// Set `AWS::Partition`.
    #[arg(long, value_name = "NAME")]
    pub partition: Option<String>,
    /// Set `AWS::StackName`, and the stack of commands that deploy.
    #[arg(long, value_name = "NAME")]
    pub stack_name: Option<String>,
    /// Read account data from a snapshot; repeatable, later files win, type by type.
    #[arg(long, value_name = "FILE")]
    pub account: Vec<PathBuf>,
    /// Sources of account data that no snapshot has.
    #[command(flatten)]
    pub live: LiveArgs,
    /// Expand language extensions: `auto` if the template's Transform names `AWS::LanguageExtensions`.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = words(&LANGUAGE_EXTENSIONS))]
    pub language_extensions: LanguageExtensions,
    /// Follow CloudFormation to the letter (`aws`), or SAM CLI (`sam`), where they disagree.
    #[arg(long, value_name = "TOOL", value_parser = words(&TOOLS))]
    pub compat: Option<Compat>,
    /// Read no file outside this directory [default: that of the nearest .git at or above the template; without one the
    /// outermost below the home directory that has formwork.toml, formwork.lock or samconfig.toml, else the template's
    /// own].
    #[arg(long, value_name = "DIR")]
    pub project_root: Option<PathBuf>,
    /// Allow fetching remote modules from this host or bucket, such as `modules.example.com`; repeatable.
    #[arg(long, value_name = "HOST_OR_BUCKET")]
    pub allow_remote: Vec<String>,
    /// Report unresolved names as warnings, not as errors.
    #[arg(long)]
    pub allow_unresolved: bool,
    /// Which configuration file is read.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Values of the stack of `formwork.toml` that the run is for.
    #[arg(skip)]
    pub stack_values: Option<Arc<Configuration>>,
}

/// Rejects a template that follows the values: the option takes every word up to the next option.
///
/// # Errors
/// What to write instead.
pub fn parameter_word(word: &str) -> Result<String, String> {
    let is_file = !word.contains('=') && !word.starts_with("file://") && Path::new(word).is_file();
    if is_file {
        return Err(
            "it is a file, and the option takes all words that follow it: write TEMPLATE before the option".to_owned()
        );
    }
    Ok(word.to_owned())
}

impl InputArgs {
    /// Returns the inputs of other templates than the one on the command line, whose values are not theirs.
    #[must_use]
    pub fn of_others(&self) -> InputArgs {
        InputArgs { project_root: self.project_root.clone(), config: self.config.clone(), ..InputArgs::default() }
    }

    /// The files that a command line names as inputs; `-` for standard input.
    pub fn named_files<'a>(&'a self, template: impl Into<Option<&'a Path>>) -> Vec<&'a Path> {
        let words = self.parameter_overrides.iter().filter_map(|word| word.strip_prefix("file://")).map(Path::new);
        let files =
            self.parameters_file.iter().chain(&self.account).chain(&self.config.config_file).map(PathBuf::as_path);
        template.into().into_iter().chain(words).chain(files).collect()
    }
}

/// Sources of account data that no snapshot has.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct LiveArgs {
    /// Call AWS, read-only, for account data that is in no snapshot.
    #[arg(long)]
    pub live: bool,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
    /// Options of calls to AWS.
    #[command(flatten)]
    pub aws: AwsArgs,
    /// Write the account data found with `--live` to this file, as a snapshot.
    #[arg(long, value_name = "FILE")]
    pub record_account: Option<PathBuf>,
}

/// Options of calls to AWS.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct AwsArgs {
    /// Use this profile of the AWS configuration.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Send calls to this URL instead of the endpoints of AWS.
    #[arg(long, value_name = "URL")]
    pub endpoint_url: Option<String>,
    /// Trust the certificate authorities in this PEM file [default: `AWS_CA_BUNDLE`, else those of the system].
    #[arg(long, value_name = "FILE")]
    pub ca_bundle: Option<PathBuf>,
    /// Do not verify the certificates of AWS endpoints. Others on the network can then read and change the traffic.
    #[arg(long)]
    pub no_verify_ssl: bool,
}
