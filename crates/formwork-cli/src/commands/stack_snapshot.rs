//! `formwork stack snapshot` (reference/plan.md#stack).

use formwork_stacks::around::record;

use super::around::Target;
use crate::args::StackSnapshotArgs;
use crate::commands::deploy::reporter::DeployReporter;
use crate::failure::Failure;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::{Status, configured, output, terminal};

/// Records a stack.
///
/// # Errors
/// When no stack is named, or the record cannot be written.
pub(crate) fn run(args: &StackSnapshotArgs) -> Result<Status, Failure> {
    Outputs::new(&[("--output", args.output.as_deref())], None).check(&[])?;
    let target = Target::new("stack_snapshot", args.stack.named(), None, &args.account)?;
    let name = target.stack()?.to_owned();
    configured::say_rest(Some(&args.report));
    let mut diagnostics = Reporter::new(&args.report);
    let mut reporter = DeployReporter::new(&mut diagnostics);
    let status = match record(&target.settings, &name, &mut reporter) {
        Ok(record) => {
            let text = format!("{record:#}\n");
            output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
            terminal::say_written(args.output.as_deref());
            Status::Done
        }
        Err(status) => status,
    };
    reporter.finish();
    Ok(status)
}
