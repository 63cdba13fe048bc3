//! Implements `formwork local start-lambda` (reference/local.md#start-lambda).

use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::terminal;

use super::args::LocalStartLambdaArgs;
use super::server::Watched;
use super::{project, server};

/// Serves the Lambda API for the functions of a template until a signal ends it.
///
/// # Errors
/// When the template cannot be read, or the server cannot listen.
pub(super) fn run(args: &LocalStartLambdaArgs) -> Result<Status, Failure> {
    const COMMAND: &str = "local_start_lambda";
    let template = project::template(&args.local)?;
    let read = Watched::read(&template, COMMAND, &args.local)?;
    let Some((mut watched, local)) = read else { return Ok(Status::Errors) };
    project::print_notes(local.project.functions.iter().map(|function| &**function));
    let server = server::server((&args.server, args.port), &args.local, &local)?;
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
