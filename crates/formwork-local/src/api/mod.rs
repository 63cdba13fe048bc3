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

/// Options of serving APIs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApiOptions {
    /// Skips authorizers.
    pub disables_authorizers: bool,
    /// A directory whose files are served where no route matches.
    pub static_directory: Option<std::path::PathBuf>,
}

/// The kind of an API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// REST API: version 1 of API Gateway.
    Rest,
    /// HTTP API: version 2 of API Gateway.
    Http,
}

/// The format of events and answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Format 1.0.
    V1,
    /// Format 2.0.
    V2,
}

/// A route that calls a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    /// Method in upper case; `ANY` for all.
    pub method: String,
    /// The pattern of the path, such as `/users/{id}`; `$default` for requests that no other route matches.
    pub path: String,
    /// ID of the function.
    pub function: String,
    /// Format of the events.
    pub format: Format,
    /// Name of the operation.
    pub operation: Option<String>,
    /// The authorizer that is called first.
    pub authorizer: Option<Arc<authorizer::Authorizer>>,
    /// The authorization that applies in AWS and does not run locally, such as `AWS_IAM`.
    pub open: Option<String>,
}

/// The invoke mode of a function URL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvokeMode {
    /// The answer is a JSON result.
    Buffered,
    /// The answer is a response stream.
    Streamed,
}

/// An API.
#[derive(Clone, PartialEq, Debug)]
pub struct Api {
    /// Logical ID, prefixed with the path of nested stacks.
    pub id: String,
    /// Kind of the API. Function URLs use the format 2.0 of HTTP APIs.
    pub kind: Kind,
    /// Mode of a function URL; `None` for other APIs.
    pub function_url: Option<InvokeMode>,
    /// Name of the stage.
    pub stage: String,
    /// Variables of the stage.
    pub variables: Vec<(String, String)>,
    /// Content types of binary bodies.
    pub binary: Vec<String>,
    /// The CORS settings.
    pub cors: Option<cors::Cors>,
    /// Routes in the order of the template.
    pub routes: Vec<Route>,
}

impl Api {
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// `true` for a content type with binary bodies.
    pub(crate) fn is_binary(&self, content_type: Option<&str>) -> bool {
        let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        self.binary.iter().any(|listed| listed == "*/*" || listed.eq_ignore_ascii_case(essence) && !essence.is_empty())
    }

    /// Returns the routes that are declared more than once, as pairs of indices in `routes`.
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
