//! Answers the requests of an API (reference/local.md#start-api).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::answer::{self, Reply};
use super::authorize::{self, Decision};
use super::cors::Headers;
use super::event::{self, Authorized, Call};
use super::{Api, ApiOptions, Format, Kind, Route, files, matching};
use crate::admission::Admission;
use crate::http::{self, Body, Received};
use crate::invocation::{Failure, Invocation, MOST_EVENT_BYTES, request_id};
use crate::pool::Pool;
use crate::project::Project;

const MOST_BYTES: usize = 10 << 20;

const MOST_DECISIONS: usize = 1_000;

/// The results of authorizers by name and identity, with the time at which they expire.
type Decisions = HashMap<(String, Vec<String>), (Instant, Vec<u8>)>;

/// The server of an API. The project and the API are replaced when the template changes.
pub(crate) struct ApiServer {
    pub(crate) state: RwLock<(Arc<Project>, Arc<Api>)>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) region: String,
    pub(crate) port: u16,
    pub(crate) decisions: Mutex<Decisions>,
    pub(crate) admission: Admission,
    pub(crate) options: ApiOptions,
}

impl ApiServer {
    pub(crate) fn replace(&self, project: Arc<Project>, api: Arc<Api>) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = (project, api);
        self.decisions().clear();
    }

    fn decisions(&self) -> std::sync::MutexGuard<'_, Decisions> {
        self.decisions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn answer(&self, received: Received) -> Response<Full<Bytes>> {
        let (project, api) = {
            let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
            (Arc::clone(&state.0), Arc::clone(&state.1))
        };
        let Received { request, peer, spelling } = received;
        let origins = api.cors.as_ref().map_or(&[][..], |cors| &cors.origins);
        if let Some(why) = self.admission.refused(&request, origins, |warning| self.pool.warn(warning)) {
            return response(Reply::message(403, &why));
        }
        let (uri, version) = (request.uri().clone(), request.version());
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = request.headers().iter();
        let headers = headers.map(|(name, value)| (spelling.of(name.as_str()), text(value))).collect();
        let method = request.method().as_str().to_owned();
        let body = match http::read(request, MOST_BYTES).await {
            Ok(body) => body.to_vec(),
            Err(Body::TooLarge(_)) => return response(too_large(&api)),
            Err(Body::Slow) => return response(Reply::message(408, "Request Timeout")),
            Err(Body::Broken) => return response(Reply::message(400, "Bad Request")),
        };
        let call = Call {
            method,
            path: uri.path().to_owned(),
            query: uri.query().unwrap_or_default().to_owned(),
            headers,
            body,
            protocol: format!("{version:?}"),
            source_ip: peer.ip().to_string(),
            port: self.port,
            id: request_id(),
            now: jiff::Timestamp::now(),
        };
        let mut reply = self.reply(&project, &api, &call).await;
        if let (Kind::Http, Some(cors), Some(origin)) = (api.kind, &api.cors, call.header("origin"))
            && !is_preflight(&call)
        {
            let added = cors.http_headers(origin);
            reply.headers.retain(|(name, _)| !name.to_lowercase().starts_with("access-control-"));
            reply.headers.extend(added);
        }
        response(reply)
    }

    async fn reply(&self, project: &Project, api: &Api, call: &Call) -> Reply {
        if let Some(reply) = preflight(api, call) {
            return reply;
        }
        let Some((route, path)) = matching::find(api, &call.method, &call.path) else {
            let directory = self.options.static_directory.as_ref().filter(|_| ["GET", "HEAD"].contains(&&*call.method));
            if let Some(reply) = directory.and_then(|directory| files::find(directory, &call.path)) {
                return reply;
            }
            return match api.kind {
                Kind::Rest => Reply::message(403, "Missing Authentication Token"),
                Kind::Http => Reply::message(404, "Not Found"),
            };
        };
        let authorized = match self.authorize(project, api, route, call, &path).await {
            Ok(authorized) => authorized,
            Err(reply) => return reply,
        };
        let event = match route.format {
            Format::V1 => event::v1(api, route, call, &path, authorized),
            Format::V2 => event::v2(api, route, call, &path, authorized),
        };
        let event = event.to_string();
        if event.len() > MOST_EVENT_BYTES {
            return too_large(api);
        }
        match self.run(project, &route.function, event).await {
            Ok(payload) => answer::reply(api, route.format, &payload).unwrap_or_else(|why| {
                self.pool.warn(&format!("{} {} is answered with 502: {why}", call.method, call.path));
                Reply::malformed()
            }),
            Err((Some(Failure::Timeout), _)) => match api.kind {
                Kind::Rest => Reply::message(504, "Endpoint request timed out"),
                Kind::Http => Reply::message(503, "Service Unavailable"),
            },
            Err(_) => Reply::malformed(),
        }
    }

    /// Returns the result of a function, or the failure with the partial result.
    async fn run(&self, project: &Project, id: &str, event: String) -> Result<Bytes, (Option<Failure>, Bytes)> {
        let Ok(function) = project.find(id) else {
            self.pool.warn(&format!("{id} is not a function of the template"));
            return Err((None, Bytes::new()));
        };
        match self.pool.invoke(function, Invocation::new(event), false).await {
            Ok(answer) => match answer.failure {
                None => Ok(answer.payload),
                Some(failure) => Err((Some(failure), answer.payload)),
            },
            Err(error) => {
                self.pool.refuse(function, &error);
                Err((None, Bytes::new()))
            }
        }
    }

    /// Returns the context that the authorizer of a route passes to the function; `Err` when the request ends here.
    async fn authorize(
        &self,
        project: &Project,
        api: &Api,
        route: &Route,
        call: &Call,
        path: &[(String, String)],
    ) -> Result<Authorized, Reply> {
        let authorizer = route.authorizer.as_ref().filter(|_| !self.options.disables_authorizers);
        let Some(authorizer) = authorizer else { return Ok(None) };
        let identity = authorize::identity(authorizer, api, call).ok_or_else(authorize::unidentified)?;
        let arn = authorize::arn(api, call, &self.region);
        let key = (authorizer.name.clone(), identity.clone());
        let is_cached = !authorizer.ttl.is_zero() && !authorizer.sources.is_empty();
        let known = self.decisions().get(&key).filter(|(until, _)| is_cached && Instant::now() < *until).cloned();
        let payload = if let Some((_, payload)) = known {
            payload
        } else {
            let event = authorize::event(authorizer, api, route, call, path, &identity, &arn);
            let run = self.run(project, &authorizer.function, event.to_string()).await;
            let payload = run.map_err(|(_, payload)| authorize::failed(api, &payload))?.to_vec();
            if is_cached {
                let mut decisions = self.decisions();
                if decisions.len() >= MOST_DECISIONS {
                    decisions.clear();
                }
                decisions.insert(key, (Instant::now() + authorizer.ttl, payload.clone()));
            }
            payload
        };
        match authorize::decision(authorizer, api, &payload, &arn) {
            Some(Decision::Allowed(authorized)) => Ok(Some(authorized)),
            Some(Decision::Denied) => Err(authorize::denied(api)),
            None => {
                self.pool.warn(&format!("the authorizer {} did not return a valid result", authorizer.name));
                Err(authorize::failed(api, &[]))
            }
        }
    }
}

/// The answer to a request that is too large, by itself or as an event.
fn too_large(api: &Api) -> Reply {
    Reply::message(413, if api.kind == Kind::Rest { "Request Too Long" } else { "Request Entity Too Large" })
}

fn is_preflight(call: &Call) -> bool {
    call.method == "OPTIONS"
        && call.header("origin").is_some()
        && call.header("access-control-request-method").is_some()
}

fn preflight(api: &Api, call: &Call) -> Option<Reply> {
    let cors = api.cors.as_ref().filter(|_| call.method == "OPTIONS")?;
    let reply = |status, headers: Headers| Reply { status, headers, body: Vec::new() };
    match api.kind {
        Kind::Rest => {
            let methods = matching::methods(api, &call.path);
            let is_own = methods.is_empty() || methods.iter().any(|method| method == "OPTIONS");
            (!is_own).then(|| reply(200, cors.rest_preflight(&methods)))
        }
        Kind::Http => {
            is_preflight(call).then(|| reply(204, cors.http_preflight(call.header("origin").unwrap_or_default())))
        }
    }
}

/// Converts an answer. Headers that HTTP does not allow are omitted.
fn response(reply: Reply) -> Response<Full<Bytes>> {
    let is_empty = reply.status == 204 || reply.status == 304 || reply.status < 200;
    let mut response = Response::new(Full::new(if is_empty { Bytes::new() } else { Bytes::from(reply.body) }));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::BAD_GATEWAY);
    for (name, value) in reply.headers {
        let is_framing = ["content-length", "transfer-encoding", "connection"].contains(&name.to_lowercase().as_str());
        let parsed = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_bytes(value.as_bytes()));
        if let ((Ok(name), Ok(value)), false) = (parsed, is_framing) {
            response.headers_mut().append(name, value);
        }
    }
    response
}
