//! Contents of objects, read while they arrive.

use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::ser_de::DeserializeResponse;
use aws_smithy_runtime_api::http::Headers;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::ConfigBag;
use http_body_util::BodyExt;

use super::answer;
use super::checksum::Checksum;

#[derive(Debug)]
pub(crate) struct Content {
    headers: Headers,
    body: SdkBody,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unread {
    TooLarge,
    /// The content ended early, for this reason.
    Broken(String),
    Altered {
        expected: String,
        actual: String,
    },
}

impl Content {
    /// Reads at most `limit` bytes, and verifies the SHA-256 that S3 keeps of an object; that of an object in parts is
    /// one of its parts, which are unknown.
    ///
    /// # Errors
    /// When the content is larger, ends early or is not that of the object.
    pub(crate) async fn read(mut self, limit: u64) -> Result<Vec<u8>, Unread> {
        let length = self.headers.get("content-length").and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > limit) {
            return Err(Unread::TooLarge);
        }
        let mut bytes = Vec::new();
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|error| Unread::Broken(error.to_string()))?;
            let Ok(part) = frame.into_data() else { continue };
            if (bytes.len() + part.len()) as u64 > limit {
                return Err(Unread::TooLarge);
            }
            bytes.extend_from_slice(&part);
        }
        let whole = |checksum: &&str| !checksum.contains('-');
        if let Some(expected) = self.headers.get("x-amz-checksum-sha256").filter(whole) {
            let actual = Checksum::of(&bytes).to_string();
            if actual != expected {
                return Err(Unread::Altered { expected: expected.to_owned(), actual });
            }
        }
        Ok(bytes)
    }
}

/// Reads the beginning of a success, and all of an error.
#[derive(Debug)]
pub(super) struct Reading;

impl DeserializeResponse for Reading {
    fn deserialize_streaming_with_config(
        &self,
        response: &mut HttpResponse,
        _: &ConfigBag,
    ) -> Option<Result<Output, OrchestratorError<Error>>> {
        if !response.status().is_success() {
            return None;
        }
        let headers = response.headers().clone();
        let body = response.take_body();
        Some(Ok(Output::erase(Content { headers, body })))
    }

    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        _: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        Err(answer::refusal(response).map_operation_error(Error::erase))
    }
}
