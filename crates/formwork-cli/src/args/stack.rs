//! How commands around a stack name it, its account and its template (reference/around.md#stack).

use std::path::PathBuf;

use clap::Args;

use super::AwsArgs;

/// The stack.
#[derive(Debug, Args)]
pub(crate) struct StackArgs {
    /// The stack, by name or ARN [default: the stack name in samconfig.toml].
    pub(crate) stack: Option<String>,
    /// The stack; the same as STACK.
    #[arg(long, value_name = "NAME", conflicts_with = "stack")]
    pub(crate) stack_name: Option<String>,
}

impl StackArgs {
    /// The stack that the command line names.
    pub(crate) fn named(&self) -> Option<String> {
        self.stack.clone().or_else(|| self.stack_name.clone())
    }
}

/// The account and Region of a stack, and the configuration file that names them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct AccountArgs {
    /// The Region of the stack.
    #[arg(long, value_name = "NAME")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// Read this SAM CLI configuration file [default: samconfig.toml next to the template].
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"], help_heading = "Inputs")]
    pub(crate) no_config: bool,
}

/// What the template of a stack is expanded with, besides the values of the stack.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct ExpansionArgs {
    /// Pass parameter values: any number of `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE` [default: those of
    /// the stack].
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append, value_parser = super::inputs::parameter_word)]
    pub(crate) parameter_overrides: Vec<String>,
    /// Read parameter values from a file, in any of the usual shapes; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub(crate) parameters_file: Vec<PathBuf>,
}

/// The template whose lines are shown, and the account of the stack.
#[derive(Debug, Args)]
pub(crate) struct LinesArgs {
    /// Show lines of this template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(short, long, visible_alias = "template", value_name = "FILE", help_heading = "Inputs")]
    pub(crate) template_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
}
