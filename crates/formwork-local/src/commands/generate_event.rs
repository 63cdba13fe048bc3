//! Implements `formwork local generate-event` (reference/local.md#generate-event).

use std::fmt::Write;

use formwork_project::Failure;
use formwork_run::{Status, output};

use crate::samples::{self, Sample, SampleError};

/// Prints an event of a service; without an event the events of the service, and without a service the services.
/// `values` are the options of the event.
///
/// # Errors
/// When the service, event or value does not exist, or standard output cannot be written.
pub(super) fn run(service: Option<&str>, event: Option<&str>, values: &[String]) -> Result<Status, Failure> {
    let printed = text(service, event, values).map_err(|error| Failure::from(error.to_string()))?;
    output::write(None, |out| out.write_all(printed.as_bytes()))?;
    Ok(Status::Done)
}

fn text(service: Option<&str>, event: Option<&str>, values: &[String]) -> Result<String, SampleError> {
    let Some(service) = service else { return Ok(lines(&samples::services())) };
    let Some(event) = event else {
        let events = samples::events(service);
        return if events.is_empty() {
            Err(SampleError::UnknownService(service.to_owned()))
        } else {
            Ok(lines(&events))
        };
    };
    let sample = Sample::find(service, event)?;
    if values.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(options(&sample));
    }
    let value = sample.render(values)?;
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
