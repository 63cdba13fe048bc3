//! A registry whose answers a test decides.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::http::{Request, Response, converse, listen};

/// The answer of a test to a request instead of the registry. Its arguments are the request, and the number of earlier
/// ones of its kind (`METHOD last-but-one part`).
pub(crate) type Script = fn(&Request, usize) -> Option<Response>;

/// What requests must carry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Open,
    /// The password of `ann`.
    Basic,
    /// A token, which `/token` returns for that password.
    Bearer,
}

#[derive(Default)]
struct State {
    blobs: BTreeMap<String, Vec<u8>>,
    uploads: Vec<Vec<u8>>,
    manifests: BTreeMap<String, Vec<u8>>,
    asked: Vec<Request>,
}

/// A registry on a port of loopback.
#[derive(Clone)]
pub(crate) struct Double {
    pub(crate) port: u16,
    state: Arc<Mutex<State>>,
}

/// `ann:hidden`
pub(crate) const ANN: &str = "YW5uOmhpZGRlbg==";
const TOKEN: &str = "a-token-of-the-tests";

impl Double {
    pub(crate) fn start(access: Access, script: Script) -> Double {
        let state = Arc::new(Mutex::new(State::default()));
        let (own, port) = (Arc::clone(&state), Arc::new(Mutex::new(0)));
        let known = Arc::clone(&port);
        let chosen = listen(move |stream| {
            let (state, port) = (Arc::clone(&own), Arc::clone(&known));
            converse(stream, |request, _| {
                let port: u16 = *port.lock().expect("a port");
                Some(answer(&mut state.lock().expect("the state"), request, access, script, port))
            });
        });
        *port.lock().expect("a port") = chosen;
        Double { port: chosen, state }
    }

    /// `HOST:PORT/PATH`
    pub(crate) fn repository(&self, path: &str) -> String {
        format!("127.0.0.1:{}/{path}", self.port)
    }

    /// Methods and paths of what was asked, digests and numbers left out.
    pub(crate) fn asked(&self) -> Vec<String> {
        let state = self.state.lock().expect("the state");
        state.asked.iter().map(kind).collect()
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.state.lock().expect("the state").asked.clone()
    }

    pub(crate) fn manifests(&self) -> Vec<String> {
        self.state.lock().expect("the state").manifests.keys().cloned().collect()
    }
}

fn kind(request: &Request) -> String {
    let parts: Vec<&str> = request.path.split('/').collect();
    format!("{} {}", request.method, parts.get(parts.len().saturating_sub(2)).unwrap_or(&""))
}

fn answer(state: &mut State, request: &Request, access: Access, script: Script, port: u16) -> Response {
    let before = state.asked.iter().filter(|asked| kind(asked) == kind(request)).count();
    state.asked.push(request.clone());
    if let Some(response) = script(request, before) {
        return response;
    }
    let authorization = request.header("authorization");
    if request.path == "/token" {
        let is_ann = authorization == format!("Basic {ANN}")
            || String::from_utf8_lossy(&request.body).contains("refresh_token=identity");
        let status = if is_ann { 200 } else { 401 };
        return Response::new(status, json!({ "access_token": TOKEN }).to_string());
    }
    let (is_known, challenge) = match access {
        Access::Open => (true, String::new()),
        Access::Basic => (authorization == format!("Basic {ANN}"), "Basic realm=\"tests\"".to_owned()),
        Access::Bearer => (
            authorization == format!("Bearer {TOKEN}"),
            format!("Bearer realm=\"http://127.0.0.1:{port}/token\",service=\"tests\""),
        ),
    };
    if !is_known {
        let body = json!({"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]});
        return Response::new(401, body.to_string()).with("WWW-Authenticate", challenge);
    }
    let (before, last) = request.path.rsplit_once('/').expect("a path");
    match (request.method.as_str(), before.rsplit('/').next().expect("a part")) {
        ("HEAD", "blobs") => Response::new(if state.blobs.contains_key(last) { 200 } else { 404 }, ""),
        ("POST", "uploads") => {
            state.uploads.push(Vec::new());
            // A query that has to be kept.
            Response::new(202, "").with("Location", format!("{before}/{}?state=x%3D", state.uploads.len() - 1))
        }
        ("PATCH", "uploads") => {
            let number: usize = last.parse().expect("a number");
            state.uploads[number].extend(&request.body);
            Response::new(202, "").with("Location", request.target())
        }
        ("PUT", "uploads") => {
            let number: usize = last.parse().expect("a number");
            let mut content = std::mem::take(&mut state.uploads[number]);
            content.extend(&request.body);
            let wanted = request.query.split("digest=").nth(1).unwrap_or_default().replace("%3A", ":");
            if super::archive::digest(&content) != wanted || !request.query.contains("state=x") {
                return Response::new(400, r#"{"errors": [{"code": "DIGEST_INVALID"}]}"#);
            }
            state.blobs.insert(wanted, content);
            Response::new(201, "")
        }
        ("DELETE", "uploads") => Response::new(204, ""),
        ("PUT", "manifests") => {
            state.manifests.insert(last.to_owned(), request.body.clone());
            Response::new(201, "")
        }
        ("GET", "manifests") => match state.manifests.get(last) {
            Some(manifest) => Response::new(200, manifest.clone()),
            None => Response::new(404, r#"{"errors": [{"code": "MANIFEST_UNKNOWN"}]}"#),
        },
        _ => Response::new(500, "not scripted"),
    }
}

/// Nothing besides.
pub(crate) fn as_usual(_: &Request, _: usize) -> Option<Response> {
    None
}
