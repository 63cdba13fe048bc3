//! Pushing code to deployed resources, a file for each way (reference/sync.md#code).

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

/// Most bytes of a zip in a request to Lambda; larger ones are taken from a bucket.
const INLINE: usize = 50 << 20;

/// Makes the calls that push code.
#[derive(Debug)]
pub struct Pusher<'p> {
    /// Who is called.
    pub client: &'p JsonClient,
    /// Ends every call once it is set.
    pub interrupt: &'p AtomicBool,
    /// Pause between two looks at an update that is in progress.
    pub poll: Duration,
}

/// What became of a push.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pushed {
    /// There is what was to be pushed.
    UpToDate,
    /// It was pushed, by these calls.
    Updated(Vec<String>),
}

/// Why code was not pushed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PushError {
    /// Somebody ended the run.
    #[error("interrupted")]
    Interrupted,
    /// A call failed.
    #[error("{call} failed: {source}")]
    Call {
        /// The call, such as `UpdateFunctionCode`.
        call: &'static str,
        /// Why.
        source: CallError,
    },
    /// The answer does not have what every answer of the call has.
    #[error("the answer to {call} does not contain {missing}")]
    Malformed {
        /// The call.
        call: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// The service took the update and could not finish it.
    #[error("the update failed: {0}")]
    Failed(String),
    /// An update of the resource has been in progress for too long.
    #[error("an update has been in progress for {} s", .0.as_secs())]
    Busy(Duration),
    /// The zip is too large for a request, and no bucket is named.
    #[error("the zip has {0} bytes, more than a request accepts: name a bucket with `--s3-bucket`")]
    TooLarge(usize),
    /// A bucket or a repository does not take the code.
    #[error("{why}")]
    NotStored {
        /// What went wrong.
        why: String,
        /// What to do; empty when nobody knows.
        help: String,
    },
    /// What the property names cannot be pushed.
    #[error("{0}")]
    Unfit(String),
}

/// A zip on its way to Lambda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LambdaCode {
    zip: Vec<u8>,
    /// Bucket and key of a zip that is too large for a request.
    stored: Option<(String, String)>,
}

impl LambdaCode {
    /// The code in a zip.
    pub fn new(zip: Vec<u8>) -> LambdaCode {
        LambdaCode { zip, stored: None }
    }

    /// The zip.
    pub fn zip(&self) -> &[u8] {
        &self.zip
    }

    /// Whether it is too large for a request: then [`LambdaCode::stored_at`] has to name the object.
    pub fn is_too_large(&self) -> bool {
        self.zip.len() > INLINE
    }

    /// The same with the object that holds it.
    #[must_use]
    pub fn stored_at(self, bucket: String, key: String) -> LambdaCode {
        LambdaCode { stored: Some((bucket, key)), ..self }
    }

    /// The hash that Lambda reports for the same zip.
    fn sha256(&self) -> String {
        BASE64_STANDARD.encode(Sha256::digest(&self.zip))
    }

    /// The properties of a request.
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

/// A string of an answer.
fn text<'v>(answer: &'v Value, call: &'static str, name: &'static str) -> Result<&'v str, PushError> {
    answer[name].as_str().ok_or(PushError::Malformed { call, missing: name })
}

/// A document that people wrote, as JSON: it may be YAML.
fn json_of(document: &[u8]) -> Result<String, PushError> {
    let text = std::str::from_utf8(document).map_err(|_| PushError::Unfit("the file is not UTF-8 text".to_owned()))?;
    if serde_json::from_str::<Value>(text).is_ok() {
        return Ok(text.to_owned());
    }
    let json = formwork::reformat(text, formwork::Format::Json, &formwork::Limits::default());
    json.ok_or_else(|| PushError::Unfit("the file is neither JSON nor YAML".to_owned()))
}
