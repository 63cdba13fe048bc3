//! What the steps of a deployment share.

use std::collections::HashMap;

use formwork_aws::{CallError, CloudFormation, JsonServices, Pages, Paging};

use crate::deadline::Deadline;
use crate::error::DeployError;
use crate::poll_intervals::PollIntervals;
use crate::unique_name::Tokens;

/// What a step needs: each file of `steps` adds the call that it is named after.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) client: CloudFormation,
    /// Services beside CloudFormation.
    pub(crate) services: JsonServices,
    pub(crate) intervals: PollIntervals,
    pub(crate) deadline: Deadline,
    /// The tokens of its calls.
    pub(crate) tokens: Tokens,
    /// What all listings count in, but those of rounds that end when a person or an operation does.
    pub(crate) pages: Pages,
    /// Whether values of properties are asked for with a change set.
    pub(crate) includes_values: bool,
    /// Calls that the endpoint does not have, and how it answered them.
    pub(crate) unsupported: HashMap<&'static str, CallError>,
}

impl Calls {
    /// A listing by a call that is about to begin.
    ///
    /// # Errors
    /// When the listings of the run have too many pages already.
    pub(crate) fn listing(&self, call: &'static str) -> Result<Paging, DeployError> {
        self.pages.listing().map_err(|source| DeployError::Call { call, source })
    }
}
