//! Formats functions and routes for the output of commands.

use std::fmt::Write;
use std::net::SocketAddr;

use crate::api::{Api, Kind, Route};
use crate::{Project, ProjectError};

fn place<'p>(project: &'p Project, id: &str) -> &'p str {
    project.find(id).ok().and_then(|function| function.place.as_deref()).unwrap_or_default()
}

/// Lists the documents of APIs that cannot be read, each with its place.
pub fn missing_documents(project: &Project) -> Vec<String> {
    let local = project.missing_documents.iter().filter(|document| document.is_local);
    let words = local.map(|document| {
        let place = document.place.as_ref().map(|place| format!("\n  --> {place}")).unwrap_or_default();
        format!("{document}{place}")
    });
    words.collect()
}

/// Lists the routes that are declared twice, each with its places and advice.
pub fn duplicate_routes(apis: &[Api], project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    for api in apis {
        for (first, second) in api.duplicates() {
            let (Some(first), Some(second)) = (api.routes.get(first), api.routes.get(second)) else { continue };
            let what = format!("{} {} of {} is declared twice", second.method, second.path, api.id);
            let of = |id: &str| format!("{id} ({})", place(project, id));
            let both = format!("for {} and for {}", of(&first.function), of(&second.function));
            found.push(format!("{what}: {both}\n  help: remove one of them"));
        }
    }
    found
}

/// Lists the routes of an API with the author's lines.
pub fn routes(api: &Api, address: SocketAddr, project: &Project) -> String {
    let (id, stage) = (&api.id, &api.stage);
    let what = match (api.kind, api.function_url) {
        (_, Some(_)) => format!("function URL {id}"),
        (Kind::Rest, None) => format!("REST API {id} (stage {stage})"),
        (Kind::Http, None) => format!("HTTP API {id} (stage {stage})"),
    };
    let mut text = format!("{what} is at http://{address}\n");
    let width = |of: fn(&Route) -> usize| api.routes.iter().map(of).max().unwrap_or_default();
    let (method, path) = (width(|route| route.method.len()), width(|route| route.path.len()));
    let function = width(|route| route.function.len());
    for route in &api.routes {
        let place = place(project, &route.function);
        let _ =
            writeln!(text, "  {:method$}  {:path$}  {:function$}  {place}", route.method, route.path, route.function);
    }
    text
}

/// Returns the error that no function is named, with the functions of the template.
pub fn no_function_named(project: &Project) -> String {
    format!("no function is named\n  help: {}", functions(project))
}

/// Returns the error that a function does not exist, with the most similar one and the functions of the template.
pub fn unknown_function(project: &Project, name: &str, error: &ProjectError) -> String {
    let nearest = match error {
        ProjectError::UnknownFunction { nearest: Some(nearest) } => format!("; did you mean {nearest}?"),
        _ => String::new(),
    };
    format!("{name} is not a function of the template{nearest}\n  help: {}", functions(project))
}

fn functions(project: &Project) -> String {
    if project.functions.is_empty() {
        return "the template has no functions".to_owned();
    }
    let lines = project.functions.iter().map(|function| {
        let place = function.place.as_ref().map(|place| format!("  ({place})")).unwrap_or_default();
        format!("\n    {}{place}", function.id)
    });
    format!("the functions in the template are{}", lines.collect::<String>())
}

/// Removes the line breaks between the tokens of JSON: strings of JSON cannot contain any.
pub fn one_line(payload: &[u8]) -> Vec<u8> {
    if !payload.contains(&b'\n') || serde_json::from_slice::<serde_json::Value>(payload).is_err() {
        return payload.strip_suffix(b"\n").unwrap_or(payload).to_vec();
    }
    payload.iter().copied().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect()
}
