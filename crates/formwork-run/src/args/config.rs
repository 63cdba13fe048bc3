//! Which `samconfig.toml` is read: arguments of commands that read one.

use std::path::PathBuf;

use clap::Args;
use formwork_project::ConfigChoice;

use crate::default_template::source_folder;

/// The configuration file, and what is read of it.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct ConfigArgs {
    /// Read this SAM CLI configuration file [default: samconfig.toml next to the template].
    #[arg(long, value_name = "FILE")]
    pub config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME")]
    pub config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"])]
    pub no_config: bool,
}

impl ConfigArgs {
    /// Returns which file is read.
    pub fn choice(&self) -> ConfigChoice<'_> {
        ConfigChoice {
            file: self.config_file.as_deref(),
            environment: self.config_env.as_deref(),
            is_left_out: self.no_config,
            source_folder,
        }
    }
}
