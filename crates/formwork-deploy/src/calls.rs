//! What the steps of a deployment share.

use aws_sdk_cloudformation::Client;

use crate::deadline::Deadline;
use crate::poll_intervals::PollIntervals;

/// What a step needs: each file of `steps` adds the call that it is named after.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) client: Client,
    pub(crate) intervals: PollIntervals,
    pub(crate) deadline: Deadline,
}
