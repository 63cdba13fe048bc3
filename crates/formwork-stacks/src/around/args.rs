//! How commands around a stack name it, its account and its template (reference/around.md#stack).

use std::path::PathBuf;

use clap::Args;
use formwork_run::args::{AwsArgs, ConfigArgs, InputArgs, LiveArgs, parameter_word};
use formwork_run::console::ReportArgs;

use super::TemplateOf;

/// The stack.
#[derive(Clone, Debug, Args)]
pub struct StackArgs {
    /// The stack, by name or ARN [default: the stack name in samconfig.toml].
    pub stack: Option<String>,
    /// The stack; the same as STACK.
    #[arg(long, value_name = "NAME", conflicts_with = "stack")]
    pub stack_name: Option<String>,
}

impl StackArgs {
    /// The stack that the command line names.
    pub fn named(&self) -> Option<&str> {
        self.stack.as_deref().or(self.stack_name.as_deref())
    }
}

/// The account and Region of a stack, and the configuration file that names them.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct AccountArgs {
    /// The Region of the stack.
    #[arg(long, value_name = "NAME")]
    pub region: Option<String>,
    /// Options of calls to AWS.
    #[command(flatten)]
    pub aws: AwsArgs,
    /// Which configuration file is read.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// What the template of a stack is expanded with, besides the values of the stack.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub struct ExpansionArgs {
    /// Pass parameter values: any number of `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE` [default: those of
    /// the stack].
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append, value_parser = parameter_word)]
    pub parameter_overrides: Vec<String>,
    /// Read parameter values from a file, in any of the usual shapes; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub parameters_file: Vec<PathBuf>,
}

/// The template whose lines are shown, and the account of the stack.
#[derive(Clone, Debug, Args)]
pub struct LinesArgs {
    /// Show lines of this template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(short, long, visible_alias = "template", value_name = "FILE", help_heading = "Inputs")]
    pub template_file: Option<PathBuf>,
    /// Options of expansion.
    #[command(flatten)]
    pub expansion: ExpansionArgs,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
}

impl LinesArgs {
    /// The template whose lines a command shows. `command` is the one whose section of samconfig.toml counts.
    pub fn template<'a>(&'a self, command: &'a str, report: &ReportArgs) -> TemplateOf<'a> {
        TemplateOf {
            command,
            named: self.template_file.as_deref(),
            inputs: InputArgs {
                parameter_overrides: self.expansion.parameter_overrides.clone(),
                parameters_file: self.expansion.parameters_file.clone(),
                region: self.account.region.clone(),
                live: LiveArgs { aws: self.account.aws.clone(), ..LiveArgs::default() },
                config: self.account.config.clone(),
                ..InputArgs::default()
            },
            is_strict: report.strict,
            is_verbose: report.verbose,
        }
    }
}
