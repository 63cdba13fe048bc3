//! EC2 and Route 53, asked without their SDK crates, whose size is out of proportion to a handful of
//! calls: requests are built and answers read here; retries, timeouts, HTTP, credentials and
//! endpoint rules are the SDK's own.

mod api;
mod document;
mod error;
mod request;

pub(crate) use api::Api;
pub(crate) use document::Element;
pub(crate) use request::Request;
