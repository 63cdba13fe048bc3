//! The Invoke call of Lambda for SDKs and other callers (reference/local.md#start-lambda).

use std::sync::{Arc, PoisonError, RwLock};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};

use crate::admission::Admission;
use crate::http::{self, Body};
use crate::invocation::{ClientData, Invocation, MOST_ASYNC_BYTES, MOST_EVENT_BYTES};
use crate::pool::Pool;
use crate::project::Project;

pub(crate) struct LambdaApi {
    pub(crate) project: Arc<RwLock<Arc<Project>>>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) admission: Admission,
}

impl LambdaApi {
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        if let Some(why) = self.admission.refused(&request, &[], |warning| self.pool.warn(warning)) {
            return refusal(StatusCode::FORBIDDEN, "AccessDeniedException", "User", &why);
        }
        let path = request.uri().path().to_owned();
        let Some(name) = function_name(&path) else {
            let message = format!("PathNotFoundException: {path} does not exist");
            return refusal(StatusCode::NOT_FOUND, "PathNotFoundLocally", "LocalService", &message);
        };
        if request.method() != Method::POST {
            let message = format!("MethodNotAllowedException: {} is not allowed here", request.method());
            return refusal(StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowedLocally", "LocalService", &message);
        }
        let project = Arc::clone(&self.project.read().unwrap_or_else(PoisonError::into_inner));
        let Ok(function) = project.find(&name) else {
            let arn = format!("arn:aws:lambda:us-west-2:012345678901:function:{name}");
            let message = format!("Function not found: {arn}");
            return refusal(StatusCode::NOT_FOUND, "ResourceNotFound", "User", &message);
        };
        let function = Arc::clone(function);
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let kind = header("x-amz-invocation-type").unwrap_or_else(|| "RequestResponse".to_owned());
        let wants_tail = header("x-amz-log-type").as_deref() == Some("Tail");
        let context = header("x-amz-client-context").and_then(|text| STANDARD.decode(text).ok());
        let context = context.and_then(|bytes| String::from_utf8(bytes).ok());
        let limit = if kind == "Event" { MOST_ASYNC_BYTES } else { MOST_EVENT_BYTES };
        let event = match http::read(request, limit).await {
            Ok(bytes) if bytes.is_empty() => Bytes::from_static(b"{}"),
            Ok(bytes) => bytes,
            Err(Body::TooLarge(length)) => {
                let message =
                    format!("{length} byte payload is too large for the {kind} invocation type (limit {limit} bytes)");
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, "RequestTooLargeException", "User", &message);
            }
            Err(Body::Slow) => {
                let message = "the body was not sent in time";
                return refusal(StatusCode::REQUEST_TIMEOUT, "RequestTimeoutException", "User", message);
            }
            Err(Body::Broken) => {
                return refusal(StatusCode::BAD_REQUEST, "InvalidRequestContent", "User", "the body is not complete");
            }
        };
        if serde_json::from_slice::<Value>(&event).is_err() {
            let message = format!("Could not parse request body into json: {}", formwork::why_not_json(&event));
            return refusal(StatusCode::BAD_REQUEST, "InvalidRequestContent", "User", &message);
        }
        let mut invocation = Invocation::new(event);
        invocation.client = ClientData { context, identity: None };
        let id = invocation.id.clone();
        match kind.as_str() {
            "DryRun" => empty(StatusCode::NO_CONTENT, &id),
            "Event" => {
                let (pool, name) = (Arc::clone(&self.pool), function.id.clone());
                tokio::spawn(async move {
                    if let Err(error) = pool.invoke(&function, invocation, false).await {
                        pool.warn(&format!("{name}: {error}"));
                    }
                });
                empty(StatusCode::ACCEPTED, &id)
            }
            "RequestResponse" => self.synchronous(&function, invocation, wants_tail).await,
            other => {
                let message = format!(
                    "Value '{other}' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [RequestResponse, DryRun, Event]"
                );
                refusal(StatusCode::BAD_REQUEST, "ValidationException", "User", &message)
            }
        }
    }

    async fn synchronous(
        &self,
        function: &Arc<crate::function::Function>,
        invocation: Invocation,
        wants_tail: bool,
    ) -> Response<Full<Bytes>> {
        let answer = match self.pool.invoke(function, invocation, wants_tail).await {
            Ok(answer) => answer,
            Err(error) => {
                self.pool.refuse(function, &error);
                return refusal(StatusCode::INTERNAL_SERVER_ERROR, "ServiceException", "Service", &error.to_string());
            }
        };
        let mut response = Response::builder()
            .status(StatusCode::OK)
            .header("Content-Type", "application/json")
            .header("X-Amz-Executed-Version", "$LATEST")
            .header("x-amzn-RequestId", &answer.id);
        if answer.failure.is_some() {
            response = response.header("X-Amz-Function-Error", "Unhandled");
        }
        if wants_tail {
            response = response.header("X-Amz-Log-Result", STANDARD.encode(&answer.tail));
        }
        response.body(Full::new(answer.payload)).unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR, ""))
    }
}

/// Returns the function in a path `/2015-03-31/functions/NAME/invocations`, where NAME may be an ARN.
fn function_name(path: &str) -> Option<String> {
    let name = path.strip_prefix("/2015-03-31/functions/")?.trim_end_matches('/').strip_suffix("/invocations")?;
    Some(formwork_base::percent::decoded(name)).filter(|name| !name.is_empty())
}

fn empty(status: StatusCode, id: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::new()));
    *response.status_mut() = status;
    if let Ok(value) = hyper::header::HeaderValue::from_str(id) {
        response.headers_mut().insert("x-amzn-RequestId", value);
    }
    response
}

/// Returns an error in Lambda's format.
fn refusal(status: StatusCode, kind: &'static str, whose: &str, message: &str) -> Response<Full<Bytes>> {
    let mut response = http::document(status, &json!({"Type": whose, "Message": message}));
    let kind = match kind {
        "ResourceNotFound" => "ResourceNotFoundException",
        "InvalidRequestContent" => "InvalidRequestContentException",
        kind => kind,
    };
    response.headers_mut().insert("x-amzn-ErrorType", hyper::header::HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_arns_of_paths() {
        let name = |path: &str| function_name(path);
        assert_eq!(name("/2015-03-31/functions/F/invocations").as_deref(), Some("F"));
        assert_eq!(name("/2015-03-31/functions/Stack%2FF/invocations").as_deref(), Some("Stack/F"));
        let arn = "/2015-03-31/functions/arn%3Aaws%3Alambda%3Aeu-west-1%3A1%3Afunction%3AF/invocations";
        let name_of_arn = name(arn).expect("a name");
        assert_eq!(crate::project::function_part(&name_of_arn), "F");
        assert_eq!(name("/2015-03-31/functions//invocations"), None);
        assert_eq!(name("/2015-03-31/functions/F"), None);
    }
}
