//! Arguments of `config`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use formwork_run::console::ReportFormat;

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show the value of every option of a command, and where each comes from.
    ///
    /// Sources are formwork.toml, samconfig.toml and the defaults of the program.
    Show(ConfigShowArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ConfigShowArgs {
    /// The command, such as `deploy` or `local invoke`.
    #[arg(required = true)]
    pub(crate) command: Vec<String>,
    /// Show only options that a file sets.
    #[arg(long)]
    pub(crate) set: bool,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
    /// Read this SAM CLI configuration file [default: samconfig.toml in the working directory].
    #[arg(long, value_name = "FILE")]
    pub(crate) config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME")]
    pub(crate) config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"])]
    pub(crate) no_config: bool,
}
