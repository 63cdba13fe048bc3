//! Arguments of `rules`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use formwork::{UnknownRules, ValueOfAll};
use formwork_run::args::{InputArgs, words};
use formwork_run::console::{ReportArgs, ReportFormat};

const UNKNOWN: [(&[&str], UnknownRules); 3] =
    [(&["fail"], UnknownRules::Fail), (&["warn"], UnknownRules::Warn), (&["skip"], UnknownRules::Skip)];

const VALUE_OF_ALL: [(&[&str], ValueOfAll); 2] =
    [(&["account"], ValueOfAll::Account), (&["parameters"], ValueOfAll::Parameters)];

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Evaluate every rule with the values you pass, and report each result.
    Check(RulesCheckArgs),
    /// Find values that satisfy and that violate a rule.
    ///
    /// Takes candidates from `AllowedValues`, account data and the rules themselves. Values that you pass are fixed.
    Solve(RulesSearchArgs),
    /// Print the truth table of a rule over the parameters that matter.
    Table(RulesSearchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RulesCheckArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// Treat a rule that cannot be evaluated as failed, as a warning, or skip it.
    #[arg(long, value_name = "WHAT", default_value = "fail", value_parser = words(&UNKNOWN))]
    pub(crate) rules_unknown: UnknownRules,
    /// Print the report in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
}

#[derive(Debug, Args)]
pub(crate) struct RulesSearchArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// The rule [default: all rules].
    #[arg(index = 2)]
    pub(crate) rule: Option<String>,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
}

/// What commands about rules take.
#[derive(Debug, Args)]
pub(crate) struct RulesInputArgs {
    /// The template, or `-` for standard input [default: template.yaml, template.yml or template.json].
    #[arg(index = 1)]
    pub(crate) template: Option<PathBuf>,
    /// Also evaluate this Service Catalog template constraint; repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) constraint: Vec<PathBuf>,
    /// Let `Fn::ValueOfAll` read all values of the account, or those of the parameters.
    #[arg(long, value_name = "WHAT", default_value = "account", value_parser = words(&VALUE_OF_ALL))]
    pub(crate) value_of_all: ValueOfAll,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
