//! Implements `formwork stack snapshot` (reference/plan.md#stack).

use std::path::PathBuf;

use clap::{Args, Subcommand};
use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, configured};
use formwork_run::output::Outputs;
use formwork_run::terminal::{self, Form};

use crate::around::Target;
use crate::around::record;
use crate::around::{AccountArgs, StackArgs};
use crate::reporter::DeployReporter;

/// The commands of `stack`.
#[derive(Debug, Subcommand)]
pub enum StackCommand {
    /// Record a deployed stack, for `formwork plan --stack-snapshot` without an account.
    ///
    /// Calls AWS, read-only: the templates, parameters and resources of the stack and of those nested in it.
    Snapshot(Box<StackSnapshotArgs>),
}

/// The arguments of `stack snapshot`.
#[derive(Clone, Debug, Args)]
pub struct StackSnapshotArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Records a stack.
///
/// # Errors
/// When no stack is named, or the record cannot be written.
pub fn run(args: &StackSnapshotArgs) -> Result<Status, Failure> {
    Outputs::new(&[("--output", args.output.as_deref())], None).check(&[])?;
    let target = Target::new("stack_snapshot", args.stack.named(), None, &args.account)?;
    let name = target.stack()?.to_owned();
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = match record(&target.settings, &name, &mut reporter) {
        Ok(record) => {
            let text = format!("{record:#}\n");
            terminal::write(args.output.as_deref(), &text, Form::Json)?;
            terminal::say_written(args.output.as_deref());
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}
