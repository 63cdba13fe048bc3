//! Inputs of a template: arguments of commands that read one.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

/// What commands that read a template take.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArgs {
    /// Pass parameter values: any number of `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE`.
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append, value_parser = parameter_word)]
    pub(crate) parameter_overrides: Vec<String>,
    /// Read parameter values from a file, in any of the usual shapes; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub(crate) parameters_file: Vec<PathBuf>,
    /// Use this parameter set of formwork.toml, below the values of `--parameter-overrides` and `--parameters-file`.
    #[arg(long, value_name = "NAME")]
    pub(crate) parameter_set: Option<String>,
    /// Set a pseudo parameter, such as `AWS::StackName=prod`; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) pseudo: Vec<String>,
    /// Set `AWS::Region`, and the Region of calls to AWS.
    #[arg(long, value_name = "NAME")]
    pub(crate) region: Option<String>,
    /// Set `AWS::AccountId`.
    #[arg(long, value_name = "ID")]
    pub(crate) account_id: Option<String>,
    /// Set `AWS::Partition`.
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Set `AWS::StackName`, and the stack of commands that deploy.
    #[arg(long, value_name = "NAME")]
    pub(crate) stack_name: Option<String>,
    /// Read account data from a snapshot; repeatable, later files win, type by type.
    #[arg(long, value_name = "FILE")]
    pub(crate) account: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    /// Expand language extensions: `auto` if the template's Transform names `AWS::LanguageExtensions`.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) language_extensions: LanguageExtensionsArg,
    /// Follow CloudFormation to the letter (`aws`), or SAM CLI (`sam`), where they disagree.
    #[arg(long, value_name = "TOOL")]
    pub(crate) compat: Option<CompatArg>,
    /// Read no file outside this directory [default: that of the nearest .git at or above the template; without one the
    /// outermost below the home directory that has formwork.toml, formwork.lock or samconfig.toml, else the template's
    /// own].
    #[arg(long, value_name = "DIR")]
    pub(crate) project_root: Option<PathBuf>,
    /// Allow fetching remote modules from this host or bucket, such as `modules.example.com`; repeatable.
    #[arg(long, value_name = "HOST_OR_BUCKET")]
    pub(crate) allow_remote: Vec<String>,
    /// Report unresolved names as warnings, not as errors.
    #[arg(long)]
    pub(crate) allow_unresolved: bool,
    /// Read this SAM CLI configuration file [default: samconfig.toml next to the template].
    #[arg(long, value_name = "FILE")]
    pub(crate) config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME")]
    pub(crate) config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"])]
    pub(crate) no_config: bool,
}

/// Rejects a template that follows the values: the option takes every word up to the next option.
pub(super) fn parameter_word(word: &str) -> Result<String, String> {
    let is_file = !word.contains('=') && !word.starts_with("file://") && Path::new(word).is_file();
    if is_file {
        return Err(
            "it is a file, and the option takes all words that follow it: write TEMPLATE before the option".to_owned()
        );
    }
    Ok(word.to_owned())
}

impl InputArgs {
    /// The files that a command line names as inputs; `-` for standard input.
    pub(crate) fn named_files<'a>(&'a self, template: impl Into<Option<&'a Path>>) -> Vec<&'a Path> {
        let words = self.parameter_overrides.iter().filter_map(|word| word.strip_prefix("file://")).map(Path::new);
        let files = self.parameters_file.iter().chain(&self.account).chain(&self.config_file).map(PathBuf::as_path);
        template.into().into_iter().chain(words).chain(files).collect()
    }
}

/// Where account data comes from that no snapshot has.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct LiveArgs {
    /// Call AWS, read-only, for account data that is in no snapshot.
    #[arg(long)]
    pub(crate) live: bool,
    /// Never use the network.
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// Write the account data found with `--live` to this file, as a snapshot.
    #[arg(long, value_name = "FILE")]
    pub(crate) record_account: Option<PathBuf>,
}

/// How AWS is reached.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct AwsArgs {
    /// Use this profile of the AWS configuration.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Send calls to this URL instead of the endpoints of AWS.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,
    /// Trust the certificate authorities in this PEM file [default: `AWS_CA_BUNDLE`, else those of the system].
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_bundle: Option<PathBuf>,
    /// Do not verify the certificates of AWS endpoints. Others on the network can then read and change the traffic.
    #[arg(long)]
    pub(crate) no_verify_ssl: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LanguageExtensionsArg {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CompatArg {
    Aws,
    Sam,
}
