//! Failures of calls.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;

use crate::api_error::ApiError;
use crate::call_error::CallError;

pub(super) const BUCKET_REGION: &str = "x-amz-bucket-region";

/// The failure of a call, and the Region of the bucket in the response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) error: CallError,
    pub(crate) region: Option<String>,
}

impl Failure {
    /// `true` if S3 answered with a status, or with its code in a response that began as a success.
    pub(crate) fn is(&self, status: u16, code: &str) -> bool {
        self.error.status == Some(status) || self.error.code.as_deref() == Some(code)
    }

    /// Returns the Region of the bucket, if it differs from the Region of the call.
    pub(crate) fn elsewhere(&self, asked: &str) -> Option<&str> {
        self.region.as_deref().filter(|there| *there != asked)
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        Failure { error, region: None }
    }
}

impl From<SdkError<ApiError, HttpResponse>> for Failure {
    fn from(error: SdkError<ApiError, HttpResponse>) -> Failure {
        let headers = error.raw_response().map(HttpResponse::headers);
        let region = headers.and_then(|headers| headers.get(BUCKET_REGION)).map(str::to_owned);
        Failure { error: error.into(), region }
    }
}
