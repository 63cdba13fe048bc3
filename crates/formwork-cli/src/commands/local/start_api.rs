//! `formwork local start-api` (reference/local.md#start-api).

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use formwork_local::api::{self, Api, ApiOptions, Kind};
use formwork_local::{Project, Template};

use super::server::Watched;
use super::{project, server};
use crate::args::LocalStartApiArgs;
use crate::failure::Failure;
use crate::{Status, inputs, terminal};

pub(crate) fn run(args: &LocalStartApiArgs) -> Result<Status, Failure> {
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
    let server = server::server(&args.server, args.port, &args.local, &local)?;
    let started = |apis: &[(Api, SocketAddr)], project: &Project| {
        for (api, address) in apis {
            terminal::say(&table(api, *address, project), terminal::Form::Plain);
        }
        terminal::say_line("(Ctrl-C ends it)");
    };
    let options = options(args, &template)?;
    match formwork_local::start_api(server, &options, local.project, &mut WithRoutes(watched), started) {
        Ok(ending) => Ok(server::status(ending)),
        Err(error) => Err(error.to_string().into()),
    }
}

/// How the APIs are served. What is not as it is in AWS is printed.
///
/// # Errors
/// When `--static-dir` names no directory.
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

/// A template whose routes must be valid.
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

/// Where the function of a route is declared.
fn place<'p>(project: &'p Project, id: &str) -> &'p str {
    project.find(id).ok().and_then(|function| function.place.as_deref()).unwrap_or_default()
}

/// Prints which documents cannot be read, and returns whether all can be.
fn print_documents(project: &Project) -> bool {
    let mut is_sound = true;
    for document in project.missing_documents.iter().filter(|document| document.is_local) {
        let place = document.place.as_ref().map(|place| format!("\n  --> {place}")).unwrap_or_default();
        terminal::say_error(&format!("{document}{place}"));
        is_sound = false;
    }
    is_sound
}

/// Prints which routes are declared twice, and returns whether none is.
fn print_duplicates(apis: &[Api], project: &Project) -> bool {
    let mut is_sound = true;
    for api in apis {
        for (first, second) in api.duplicates() {
            let (first, second) = (&api.routes[first], &api.routes[second]);
            let what = format!("{} {} of {} is declared twice", second.method, second.path, api.id);
            let of = |id: &str| format!("{id} ({})", place(project, id));
            let both = format!("for {} and for {}", of(&first.function), of(&second.function));
            terminal::say_error(&format!("{what}: {both}\n  help: remove one of them"));
            is_sound = false;
        }
    }
    is_sound
}

/// The routes of an API with the author's lines.
fn table(api: &Api, address: SocketAddr, project: &Project) -> String {
    let (id, stage) = (&api.id, &api.stage);
    let what = match (api.kind, api.function_url) {
        (_, Some(_)) => format!("function URL {id}"),
        (Kind::Rest, None) => format!("REST API {id} (stage {stage})"),
        (Kind::Http, None) => format!("HTTP API {id} (stage {stage})"),
    };
    let mut text = format!("{what} is at http://{address}\n");
    let width = |of: fn(&api::Route) -> usize| api.routes.iter().map(of).max().unwrap_or_default();
    let (method, path) = (width(|route| route.method.len()), width(|route| route.path.len()));
    let function = width(|route| route.function.len());
    for route in &api.routes {
        let place = place(project, &route.function);
        let _ =
            writeln!(text, "  {:method$}  {:path$}  {:function$}  {place}", route.method, route.path, route.function);
    }
    text
}
