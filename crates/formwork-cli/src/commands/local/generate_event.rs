//! `formwork local generate-event` (reference/local.md#generate-event).

use std::fmt::Write;

use formwork_local::samples::{self, Sample, SampleError};

use crate::args::LocalGenerateEventArgs;
use crate::failure::Failure;
use crate::{Status, output};

pub(crate) fn run(args: &LocalGenerateEventArgs) -> Result<Status, Failure> {
    let printed = text(args).map_err(|error| Failure::from(error.to_string()))?;
    output::write(None, |out| out.write_all(printed.as_bytes()))?;
    Ok(Status::Done)
}

/// The event, or the list of what can be named.
fn text(args: &LocalGenerateEventArgs) -> Result<String, SampleError> {
    let Some(service) = &args.service else { return Ok(lines(&samples::services())) };
    let Some(event) = &args.event else {
        let events = samples::events(service);
        return if events.is_empty() { Err(SampleError::UnknownService(service.clone())) } else { Ok(lines(&events)) };
    };
    let sample = Sample::find(service, event)?;
    if args.values.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(options(&sample));
    }
    let value = sample.render(&args.values)?;
    Ok(format!("{value:#}\n"))
}

fn lines(names: &[&str]) -> String {
    names.iter().flat_map(|name| [*name, "\n"]).collect()
}

fn options(sample: &Sample) -> String {
    let mut text = String::new();
    let width = sample.options.iter().map(|option| option.name.len()).max().unwrap_or_default();
    for option in sample.options {
        let _ = writeln!(text, "--{:width$}  {} [default: {}]", option.name, option.help, option.value);
    }
    text
}
