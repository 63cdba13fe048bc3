//! CloudFormation, EC2, STS and Route 53, called without their SDK crates, whose size is out of proportion to a handful
//! of calls: requests are built and responses read here; retries, timeouts, HTTP, credentials and endpoint rules are
//! the SDK's own.

mod api;
mod document;
mod error;
mod query;
mod request;

pub(crate) use api::Api;
pub use document::Element;
pub(crate) use error::read_error;
pub use query::QueryRequest;
pub(crate) use request::Request;
