//! Implements `formwork local invoke` (reference/local.md#invoke).

use std::io::Read;
use std::path::Path;

use formwork_project::{Failure, FileFailure};
use formwork_run::{Status, output};

use super::args::LocalInvokeArgs;
use super::{project, server};
use crate::{Debugger, Invocation, MOST_EVENT_BYTES, words};

/// Runs a function once and prints its result.
///
/// # Errors
/// When the event or the template cannot be read, or the function does not exist.
pub(super) fn run(args: &LocalInvokeArgs) -> Result<Status, Failure> {
    let event = match args.event.as_deref() {
        None => b"{}".to_vec(),
        Some(path) => event(path)?,
    };
    let debugger = args.debug_port.map(|port| Debugger {
        port,
        arguments: server::debugger_arguments(args.debugger_args.as_deref()),
        function: None,
    });
    let template = project::template(&args.local)?;
    let Some(local) = project::load(&template, "local_invoke", &args.local, debugger)? else {
        return Ok(Status::Errors);
    };
    let function = project::find(&local.project, args.function.as_deref())?;
    project::print_notes([&**function]);
    if !project::print_unresolved(&args.local, &local.project.unresolved, [&**function])? {
        return Ok(Status::Errors);
    }
    let log = project::log(&args.local)?;
    let settings = project::pool(false, 1);
    let invocation = Invocation::new(event);
    let answer = match crate::invoke_once(local.launch, function, invocation, settings, log) {
        Ok(Some(answer)) => answer,
        Ok(None) => return Ok(Status::Interrupted),
        Err(error) => {
            project::refuse(function, &error);
            return Ok(Status::Errors);
        }
    };
    let line = words::one_line(&answer.payload);
    output::write(None, |out| {
        out.write_all(&line)?;
        out.write_all(b"\n")
    })?;
    Ok(if answer.failure.is_some() { Status::Errors } else { Status::Done })
}

fn event(path: &Path) -> Result<Vec<u8>, Failure> {
    let limit = formwork::Limits::default().file_bytes;
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
        read.map_err(|error| format!("standard input cannot be read: {error}"))?;
        bytes
    } else {
        formwork::disk::read_named(path, limit).map_err(|error| FileFailure::unread(path, &error))?
    };
    let name = if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let unfit = |why: String| Failure::from(FileFailure::unfit(path, format!("the event in {name} {why}")));
    let bytes = match bytes.strip_prefix("\u{feff}".as_bytes()) {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    if serde_json::from_slice::<serde_json::Value>(&bytes).is_err() {
        return Err(unfit(format!("is not JSON: {}", formwork::why_not_json(&bytes))));
    }
    if bytes.len() > MOST_EVENT_BYTES {
        return Err(unfit(format!(
            "is larger than Lambda accepts: {} bytes of at most {MOST_EVENT_BYTES}",
            bytes.len()
        )));
    }
    Ok(bytes)
}
