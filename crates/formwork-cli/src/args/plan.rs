//! Arguments of `plan` and `diff` (reference/plan.md).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use formwork_run::args::{InputArgs, SchemaArgs};
use formwork_run::console::ReportArgs;

use super::StageArg;

#[derive(Clone, Debug, Args)]
pub(crate) struct PlanArgs {
    /// The template, or the old and the new one [default: template.yaml, template.yml or template.json]. With --all
    /// directories.
    #[arg(value_name = "TEMPLATE", num_args = 0..=2)]
    pub(crate) template: Vec<PathBuf>,
    /// Plan all stacks of the repository, in the order of their deployments.
    ///
    /// With --git they are compared with the revision, else each with the deployed stack of its name.
    #[arg(long, conflicts_with_all = ["stack_snapshot", "refactor", "refactor_map", "stack_name"])]
    pub(crate) all: bool,
    /// With --all, plan the stacks of these stages alone. Separated by commas.
    #[arg(long, value_name = "STAGES", value_delimiter = ',', requires = "all")]
    pub(crate) stages: Vec<String>,
    /// Compare with this Git revision: `main`, `main...` (its merge base with HEAD), `A..B` or `A...B`.
    #[arg(long, visible_alias = "base", value_name = "REV", conflicts_with = "stack_snapshot")]
    pub(crate) git: Option<String>,
    /// Compare with the stack that this file records: `formwork stack snapshot NAME` writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) stack_snapshot: Option<PathBuf>,
    /// Compare with this deployed stack, as it is now: calls AWS, read-only.
    #[cfg(feature = "aws")]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["git", "stack_snapshot", "offline"])]
    pub(crate) stack: Option<String>,
    /// Compare the output of this command.
    #[arg(long, value_name = "STAGE", default_value = "resolve")]
    pub(crate) stage: StageArg,
    /// Distinguish `1` from `"1"`.
    #[arg(long)]
    pub(crate) strict_types: bool,
    /// Print the plan in this format: text, JSON, or a comment of a pull request [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<PlanFormatArg>,
    /// Put this key into the first line of the comment [default: the path of the template in its repository].
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment_key: Option<String>,
    /// End with status 1 if the plan does this; repeatable.
    #[arg(long, value_name = "GATE", value_delimiter = ',')]
    pub(crate) fail_on: Vec<GateArg>,
    #[command(flatten)]
    pub(crate) against: AgainstArgs,
    #[command(flatten)]
    pub(crate) refactor: RefactorPlanArgs,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Values that the new side has instead.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "New values")]
#[expect(clippy::struct_field_names, reason = "the names of options")]
pub(crate) struct AgainstArgs {
    /// Pass these parameter values on the new side, above those of both sides.
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append)]
    pub(crate) against_parameter_overrides: Vec<String>,
    /// Read parameter values of the new side from a file; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub(crate) against_parameters_file: Vec<PathBuf>,
    /// Set a pseudo parameter on the new side, such as `AWS::Region=eu-west-1`; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) against_pseudo: Vec<String>,
    /// Read account data of the new side from a snapshot; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub(crate) against_account: Vec<PathBuf>,
}

impl AgainstArgs {
    /// Whether any value differs.
    pub(crate) fn is_given(&self) -> bool {
        !(self.against_parameter_overrides.is_empty()
            && self.against_parameters_file.is_empty()
            && self.against_pseudo.is_empty()
            && self.against_account.is_empty())
    }
}

/// The refactoring that avoids replacements.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Refactoring")]
pub(crate) struct RefactorPlanArgs {
    /// Write the refactoring that renames shifted and moved resources without replacement to this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) refactor: Option<PathBuf>,
    /// Write its mappings to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) refactor_map: Option<PathBuf>,
    /// Also rename resources that may have moved.
    #[arg(long)]
    pub(crate) refactor_likely: bool,
    /// Write one refactoring, or two of which neither has a chain of renames.
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) refactor_steps: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PlanFormatArg {
    Text,
    Json,
    Markdown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GateArg {
    /// A resource is replaced, or may be.
    Replacement,
    /// A physical resource is deleted, or may be.
    Destructive,
    /// Data is lost, or may be.
    Data,
    /// A resource may do more than before.
    Broadening,
    /// Anything differs.
    Any,
}
