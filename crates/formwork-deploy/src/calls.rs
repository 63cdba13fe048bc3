//! The shared state of the calls.

use std::collections::HashMap;

use formwork_aws::{CallError, CloudFormation, JsonServices, Pages, Paging};

use crate::deadline::Deadline;
use crate::error::DeployError;
use crate::poll_intervals::PollIntervals;
use crate::unique_name::Tokens;

/// The shared state of the calls; the files of `steps` implement one call each.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) client: CloudFormation,
    /// AWS services besides CloudFormation.
    pub(crate) services: JsonServices,
    pub(crate) intervals: PollIntervals,
    pub(crate) deadline: Deadline,
    pub(crate) tokens: Tokens,
    /// The page count of all listings, except those of rounds that end with a person or an operation.
    pub(crate) pages: Pages,
    /// Requests property values with a change set.
    pub(crate) includes_values: bool,
    /// Calls that the endpoint does not support, with its answers.
    pub(crate) unsupported: HashMap<&'static str, CallError>,
}

impl Calls {
    /// Begins a listing by a call.
    ///
    /// # Errors
    /// When the listings of the run have too many pages already.
    pub(crate) fn listing(&self, call: &'static str) -> Result<Paging, DeployError> {
        self.pages.listing().map_err(|source| DeployError::Call { call, source })
    }
}
