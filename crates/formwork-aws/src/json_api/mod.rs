//! Lambda, Step Functions, API Gateway, `CloudWatch` Logs, ECR and SSM, called without their SDK crates, whose size is
//! out of proportion to a few calls: requests are built and responses read here; retries, timeouts, HTTP, credentials
//! and endpoint rules are the SDK's own.

mod call;
mod client;
mod error;
mod request;
mod services;

pub(crate) use call::JsonApi;
pub use client::JsonClient;
pub use request::JsonRequest;
pub use services::JsonServices;
