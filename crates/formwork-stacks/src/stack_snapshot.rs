//! Implements `formwork stack snapshot` (reference/plan.md#stack).

use std::path::PathBuf;

use formwork_console::report::Reporter;
use formwork_console::terminal::{self, Form};
use formwork_console::{ReportChoices, configured};
use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::output::Outputs;

use crate::around::AccountChoices;
use crate::around::Target;
use crate::around::record;
use crate::reporter::DeployReporter;

/// The arguments of a record of a stack.
#[derive(Clone, Debug)]
pub struct StackSnapshotChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// The output file; standard output by default.
    pub output: Option<PathBuf>,
    /// The account of the stack.
    pub account: AccountChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// Records a stack.
///
/// # Errors
/// When no stack is named, or the record cannot be written.
pub fn run(args: &StackSnapshotChoices) -> Result<Status, Failure> {
    Outputs::new(&[("--output", args.output.as_deref())], None).check(&[])?;
    let target = Target::new("stack_snapshot", args.stack.as_deref(), None, &args.account)?;
    let name = target.stack()?.to_owned();
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(args.report);
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
