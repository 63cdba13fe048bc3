//! Implements `formwork local start-api` (reference/local.md#start-api).

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use formwork_project::Failure;
use formwork_run::terminal;
use formwork_run::{Status, inputs};

use super::args::LocalStartApiArgs;
use super::server::Watched;
use super::{project, server};
use crate::api::{self, Api, ApiOptions};
use crate::{Project, Template, words};

/// Serves the APIs of a template until a signal ends it.
///
/// # Errors
/// When the template cannot be read or has no API, or the server cannot listen.
pub(super) fn run(args: &LocalStartApiArgs) -> Result<Status, Failure> {
    const COMMAND: &str = "local_start_api";
    let template = project::template(&args.local)?;
    let read = Watched::read(&template, COMMAND, &args.local)?;
    let Some((watched, local)) = read else { return Ok(Status::Errors) };
    let apis = api::apis(&local.project);
    if !print_documents(&local.project) {
        return Ok(Status::Errors);
    }
    for note in api::notes(&local.project) {
        terminal::say_line(&format!("warning: {note}"));
    }
    if apis.is_empty() {
        let help = "add an event of the type Api or HttpApi, or a FunctionUrlConfig, to a function";
        return Err(format!("the template has no API whose routes call a function\n  help: {help}").into());
    }
    if !print_duplicates(&apis, &local.project) {
        return Ok(Status::Errors);
    }
    project::print_notes(local.project.functions.iter().map(|function| &**function));
    let server = server::server((&args.server, args.port), &args.local, &local)?;
    let started = |apis: &[(Api, SocketAddr)], project: &Project| {
        for (api, address) in apis {
            terminal::say(&words::routes(api, *address, project), terminal::Form::Plain);
        }
        terminal::say_line("(Ctrl-C ends it)");
    };
    let options = options(args, &template)?;
    match crate::start_api(server, &options, local.project, &mut WithRoutes(watched), started) {
        Ok(ending) => Ok(server::status(ending)),
        Err(error) => Err(error.to_string().into()),
    }
}

/// Returns the options, and prints differences from AWS.
///
/// # Errors
/// When `--static-dir` is not a directory.
fn options(args: &LocalStartApiArgs, template: &Path) -> Result<ApiOptions, Failure> {
    if args.disable_authorizer {
        terminal::say_line("warning: no authorizer runs (--disable-authorizer): all routes are open");
    }
    let beside = || Some(inputs::folder(template).join("public")).filter(|directory| directory.is_dir());
    let static_directory = args.static_dir.clone().or_else(beside);
    if let Some(directory) = &static_directory {
        if !directory.is_dir() {
            return Err(format!("--static-dir {} is not a directory", directory.display()).into());
        }
        terminal::say_line(&format!("note: files of {} are served where no route matches", directory.display()));
    }
    Ok(ApiOptions { disables_authorizers: args.disable_authorizer, static_directory })
}

struct WithRoutes<'a>(Watched<'a>);

impl Template for WithRoutes<'_> {
    fn files(&self) -> Vec<PathBuf> {
        self.0.files()
    }

    fn reload(&mut self) -> Option<Project> {
        let project = self.0.reload()?;
        let is_sound = print_documents(&project) & print_duplicates(&api::apis(&project), &project);
        is_sound.then_some(project)
    }
}

/// Prints documents that cannot be read, and returns `true` if all can be.
fn print_documents(project: &Project) -> bool {
    print_all(&words::missing_documents(project))
}

/// Prints routes that are declared twice, and returns `true` if none is.
fn print_duplicates(apis: &[Api], project: &Project) -> bool {
    print_all(&words::duplicate_routes(apis, project))
}

fn print_all(errors: &[String]) -> bool {
    for error in errors {
        terminal::say_error(error);
    }
    errors.is_empty()
}
