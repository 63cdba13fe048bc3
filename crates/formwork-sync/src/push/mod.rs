//! Pushes code to deployed resources, with a file for each kind of code (reference/sync.md#code).

mod function;
mod http_api;
mod layer;
mod rest_api;
mod state_machine;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use formwork_aws::{CallError, JsonClient, JsonRequest, Service};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Maximum size in bytes of a zip in a request to Lambda; a larger one is uploaded to an S3 bucket first.
const INLINE: usize = 50 << 20;

/// Makes the calls that push code.
#[derive(Debug)]
pub struct Pusher<'p> {
    /// Client of the AWS APIs.
    pub client: &'p JsonClient,
    /// Ends every call once it is set.
    pub interrupt: &'p AtomicBool,
    /// Interval between two checks of an update in progress.
    pub poll: Duration,
}

/// Result of a push.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pushed {
    /// The deployed code was the same already.
    UpToDate,
    /// The code was updated by these calls.
    Updated(Vec<String>),
}

/// The reason why code was not pushed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PushError {
    /// The run was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// A call failed.
    #[error("{call} failed: {source}")]
    Call {
        /// Name of the call, such as `UpdateFunctionCode`.
        call: &'static str,
        /// Error of the client.
        source: CallError,
    },
    /// A response does not have a property that every response of the call has.
    #[error("the answer to {call} does not contain {missing}")]
    Malformed {
        /// Name of the call.
        call: &'static str,
        /// The missing property.
        missing: &'static str,
    },
    /// The service accepted the update and could not complete it.
    #[error("the update failed: {0}")]
    Failed(String),
    /// An update of the resource has been in progress for too long.
    #[error("an update has been in progress for {} s", .0.as_secs())]
    Busy(Duration),
    /// The zip is too large for a request, and no bucket is configured.
    #[error("the zip has {0} bytes, more than a request accepts: name a bucket with `--s3-bucket`")]
    TooLarge(usize),
    /// A bucket or a repository rejects the code.
    #[error("{why}")]
    NotStored {
        /// The error message.
        why: String,
        /// Advice for the user; empty when unknown.
        help: String,
    },
    /// The content of the property cannot be pushed.
    #[error("{0}")]
    Unfit(String),
}

/// A zip with code for Lambda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LambdaCode {
    zip: Vec<u8>,
    /// Bucket and key of a zip that is too large for a request.
    stored: Option<(String, String)>,
}

impl LambdaCode {
    /// Creates the code from the bytes of a zip.
    pub fn new(zip: Vec<u8>) -> LambdaCode {
        LambdaCode { zip, stored: None }
    }

    /// Returns the bytes of the zip.
    pub fn zip(&self) -> &[u8] {
        &self.zip
    }

    /// Returns `true` if the zip is too large for a request: then [`LambdaCode::stored_at`] must set the object.
    pub fn is_too_large(&self) -> bool {
        self.zip.len() > INLINE
    }

    /// Sets the S3 object that holds the zip.
    #[must_use]
    pub fn stored_at(self, bucket: String, key: String) -> LambdaCode {
        LambdaCode { stored: Some((bucket, key)), ..self }
    }

    /// The hash that Lambda reports for this zip, in base64.
    fn sha256(&self) -> String {
        BASE64_STANDARD.encode(Sha256::digest(&self.zip))
    }

    /// The code properties of a request.
    fn members(&self) -> Result<Value, PushError> {
        match &self.stored {
            Some((bucket, key)) => Ok(json!({"S3Bucket": bucket, "S3Key": key})),
            None if self.is_too_large() => Err(PushError::TooLarge(self.zip.len())),
            None => Ok(json!({"ZipFile": BASE64_STANDARD.encode(&self.zip)})),
        }
    }
}

impl Pusher<'_> {
    fn call(&self, service: Service, call: &'static str, request: JsonRequest) -> Result<Value, PushError> {
        match self.client.call(service, request, self.interrupt) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(PushError::Interrupted),
            Err(source) => Err(PushError::Call { call, source }),
        }
    }

    fn pause(&self) -> Result<(), PushError> {
        if self.client.pause(self.poll, self.interrupt) { Ok(()) } else { Err(PushError::Interrupted) }
    }
}

fn text<'v>(answer: &'v Value, call: &'static str, name: &'static str) -> Result<&'v str, PushError> {
    answer[name].as_str().ok_or(PushError::Malformed { call, missing: name })
}

/// Converts a JSON or YAML document to JSON.
fn json_of(document: &[u8]) -> Result<String, PushError> {
    let text = std::str::from_utf8(document).map_err(|_| PushError::Unfit("the file is not UTF-8 text".to_owned()))?;
    if serde_json::from_str::<Value>(text).is_ok() {
        return Ok(text.to_owned());
    }
    let json = formwork::reformat(text, formwork::Format::Json, &formwork::Limits::default());
    json.ok_or_else(|| PushError::Unfit("the file is neither JSON nor YAML".to_owned()))
}
