//! Commands on one stack as CloudFormation describes it.

use formwork_deploy::{PollIntervals, Stack};
use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::console::report::Reporter;
use formwork_run::console::{ReportArgs, configured};

use super::{AccountArgs, Connection, Target};
use crate::reporter::DeployReporter;

/// Calls `work` with a stack whose outputs are sorted by name; no template is read. `command` is the section of
/// samconfig.toml, and `named` the stack of the command line.
///
/// # Errors
/// When no stack is named, and those of `work`.
pub fn on_stack(
    command: &str,
    named: Option<&str>,
    (account, report): (&AccountArgs, &ReportArgs),
    work: impl FnOnce(&Stack, &mut DeployReporter<'_>) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let target = Target::new(command, named, None, account)?;
    let name = target.stack()?;
    configured::say_rest(Some(report));
    let mut diagnostics = Reporter::new(report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let found = Connection::open(&target.settings, PollIntervals::default(), &mut reporter)
        .and_then(|mut connection| connection.stack(name));
    let status = match found {
        Ok(mut stack) => {
            stack.outputs.sort();
            work(&stack, &mut reporter)?
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}
