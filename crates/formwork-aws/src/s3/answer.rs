//! Responses that are read completely.

use std::borrow::Cow;

use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::http::Headers;

use super::failure::{BUCKET_REGION, Failure};
use crate::api_error::ApiError;
use crate::call_error::CallError;
use crate::xml_api::{Element, read_error};

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    headers: Headers,
    document: Option<Element>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)
    }

    /// Returns the Region of the bucket, when S3 reports it.
    pub(crate) fn bucket_region(&self) -> Option<&str> {
        self.header(BUCKET_REGION)
    }

    pub(crate) fn document(self) -> Result<Element, Failure> {
        self.document.ok_or_else(|| CallError::malformed("the answer has no document").into())
    }
}

/// Reads a response. S3 begins some responses before it knows how they end: a success may contain an error. An
/// unreadable document was truncated.
pub(super) fn read(response: &HttpResponse) -> Result<Answer, OrchestratorError<ApiError>> {
    if !response.status().is_success() {
        return Err(refusal(response));
    }
    let (headers, body) = (response.headers().clone(), text(response));
    if body.trim_ascii().is_empty() {
        return Ok(Answer { headers, document: None });
    }
    match Element::parse(&body) {
        Ok(document) if document.name == "Error" => Err(refusal(response)),
        Ok(document) => Ok(Answer { headers, document: Some(document) }),
        Err(why) => Err(OrchestratorError::response(format!("the XML cannot be read: {why}").into())),
    }
}

pub(super) fn refusal(response: &HttpResponse) -> OrchestratorError<ApiError> {
    OrchestratorError::operation(read_error(&text(response)))
}

fn text(response: &HttpResponse) -> Cow<'_, str> {
    String::from_utf8_lossy(response.body().bytes().unwrap_or_default())
}
