//! The baseline of a check (reference/diagnostics.md#baseline).

use formwork::{Limits, ReadError, Selection, disk::read_named};
use formwork_project::{Failure, FileFailure};
use formwork_report::{Baseline, Scope};

use crate::check::CheckArgs;
use crate::console::report::Reporter;
use crate::output;

/// Adds the baseline of the arguments to a reporter.
///
/// # Errors
/// When its file cannot be read, or is not a baseline.
pub(crate) fn add_to(reporter: Reporter, args: &CheckArgs) -> Result<Reporter, Failure> {
    let Some(path) = &args.baseline.baseline else { return Ok(reporter) };
    let is_written = args.baseline.write_baseline;
    let bytes = match read_named(path, Limits::default().file_bytes) {
        Ok(bytes) => Some(bytes),
        Err(ReadError::NotFound) if is_written => None,
        Err(error) => {
            let failure = FileFailure::unread(path, &error);
            return Err(match error {
                ReadError::NotFound => failure.help("`--write-baseline` writes it").into(),
                _ => failure.into(),
            });
        }
    };
    let unfit = |why: &str| {
        FileFailure::unfit(path, format!("{} is not a baseline: {why}", path.display()))
            .help("name another file, or remove this one and run with `--write-baseline`")
    };
    let text = bytes.as_deref().map(|bytes| std::str::from_utf8(bytes).map_err(|_| unfit("it is not UTF-8")));
    let scope = Scope {
        selection: Selection { select: args.selection.select.clone(), ignore: args.selection.ignore.clone() },
        has_tools: !args.tools.with.is_empty(),
    };
    let name = path.display().to_string();
    let baseline = Baseline::read(&name, text.transpose()?, scope).map_err(|why| unfit(&why))?;
    Ok(reporter.with_baseline(if is_written { baseline.to_be_written() } else { baseline }))
}

/// Writes the baseline if the arguments ask for it.
///
/// # Errors
/// When a template could not be read, or the file cannot be written.
pub(crate) fn write(args: &CheckArgs, reporter: &Reporter, is_unread: bool) -> Result<(), Failure> {
    let Some(path) = args.baseline.baseline.as_deref().filter(|_| args.baseline.write_baseline) else { return Ok(()) };
    let Some(text) = reporter.baseline_text() else { return Ok(()) };
    if is_unread {
        return Err(format!("{} is not written: a template cannot be read", path.display()).into());
    }
    output::write(Some(path), |out| out.write_all(text.as_bytes()))
}
