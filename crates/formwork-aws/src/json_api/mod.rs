//! Lambda, Step Functions and API Gateway, asked without their SDK crates, whose size is out of proportion to the few
//! calls that push code: requests are built and answers read here; retries, timeouts, HTTP, credentials and endpoint
//! rules are the SDK's own.

mod client;
mod error;
mod request;

pub use client::JsonClient;
pub use request::JsonRequest;
