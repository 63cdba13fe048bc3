//! Implements `formwork local start-lambda` (reference/local.md#start-lambda).

use formwork_console::terminal;
use formwork_project::Failure;
use formwork_run::Status;

use super::choices::{LocalChoices, ServerChoices};
use super::server::Watched;
use super::{project, server};

/// Serves the Lambda API for the functions of a template until a signal ends it.
///
/// # Errors
/// When the template cannot be read, or the server cannot listen.
pub fn run(args: &LocalChoices, serving: &ServerChoices) -> Result<Status, Failure> {
    const COMMAND: &str = "local_start_lambda";
    let template = project::template(args)?;
    let read = Watched::read(&template, COMMAND, args)?;
    let Some((mut watched, local)) = read else { return Ok(Status::Errors) };
    project::print_notes(local.project.functions.iter().map(|function| &**function));
    let server = server::server(serving, args, &local)?;
    let ids: Vec<String> = local.project.functions.iter().map(|function| format!("  {}", function.id)).collect();
    let started = |address| {
        terminal::say_line(&format!("Functions:\n{}", ids.join("\n")));
        terminal::say_line(&format!("Lambda is at http://{address} (Ctrl-C ends it)"));
    };
    match crate::start_lambda(server, local.project, &mut watched, started) {
        Ok(ending) => Ok(server::status(ending)),
        Err(error) => Err(error.to_string().into()),
    }
}
