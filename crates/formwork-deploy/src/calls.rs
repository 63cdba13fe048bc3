//! What the steps of a deployment share.

use formwork_aws::CloudFormation;

use crate::deadline::Deadline;
use crate::poll_intervals::PollIntervals;

/// What a step needs: each file of `steps` adds the call that it is named after.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) client: CloudFormation,
    pub(crate) intervals: PollIntervals,
    pub(crate) deadline: Deadline,
}
