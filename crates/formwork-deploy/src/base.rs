//! The outcome of a deployment that has not begun.

use crate::outcome::Outcome;
use crate::request::DeployRequest;
use crate::service::Service;

pub(crate) fn base(service: &Service, request: &DeployRequest) -> Outcome {
    let region = service.region().to_owned();
    Outcome { stack_name: request.stack_name.clone(), region, ..Outcome::default() }
}
