//! REST and HTTP APIs of a template (reference/local.md#start-api).

mod answer;
mod authorize;
mod authorizer;
mod collect;
mod cors;
mod declared;
mod event;
mod files;
mod function_id;
mod matching;
mod notes;
mod openapi;
mod server;

use std::sync::Arc;

pub use collect::apis;
pub use declared::{DeclaredApi, declared_apis};
pub use notes::notes;
pub(crate) use server::ApiServer;

/// How APIs are served.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApiOptions {
    /// Whether authorizers run.
    pub disables_authorizers: bool,
    /// A directory whose files are served where no route matches.
    pub static_directory: Option<std::path::PathBuf>,
}

/// What kind of API it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Version 1 of API Gateway.
    Rest,
    /// Its second.
    Http,
}

/// The format of events and answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// 1.0.
    V1,
    /// 2.0.
    V2,
}

/// A route.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    /// In upper case; `ANY` for all.
    pub method: String,
    /// The pattern of the path, such as `/users/{id}`; `$default` for requests that no other route matches.
    pub path: String,
    /// The ID of the function.
    pub function: String,
    /// The format of its events.
    pub format: Format,
    /// The name of the operation.
    pub operation: Option<String>,
    /// The authorizer that is called first.
    pub authorizer: Option<Arc<authorizer::Authorizer>>,
    /// What decides in AWS who may call, and does not run here, such as `AWS_IAM`.
    pub open: Option<String>,
}

/// How a function URL answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvokeMode {
    /// With a result in JSON.
    Buffered,
    /// With what the function writes.
    Streamed,
}

/// An API.
#[derive(Clone, PartialEq, Debug)]
pub struct Api {
    /// Its logical ID, with what leads to its template.
    pub id: String,
    /// Its kind. Function URLs speak the format 2.0 of HTTP APIs.
    pub kind: Kind,
    /// Whether it is a function URL, and of which mode.
    pub function_url: Option<InvokeMode>,
    /// The name of its stage.
    pub stage: String,
    /// Variables of the stage.
    pub variables: Vec<(String, String)>,
    /// Content types of bodies that are not text.
    pub binary: Vec<String>,
    /// The CORS settings.
    pub cors: Option<cors::Cors>,
    /// Its routes in the order of the template.
    pub routes: Vec<Route>,
}

impl Api {
    /// The stage variable of a name.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether bodies of a content type are not text.
    pub(crate) fn is_binary(&self, content_type: Option<&str>) -> bool {
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        self.binary.iter().any(|listed| listed == "*/*" || listed.eq_ignore_ascii_case(essence) && !essence.is_empty())
    }

    /// The routes that the template declares more than once, as pairs of places in `routes`.
    pub fn duplicates(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (at, route) in self.routes.iter().enumerate() {
            let is_same = |other: &&Route| other.method == route.method && matching::is_same(&other.path, &route.path);
            if let Some(first) = self.routes[..at].iter().position(|other| is_same(&other)) {
                found.push((first, at));
            }
        }
        found
    }
}
