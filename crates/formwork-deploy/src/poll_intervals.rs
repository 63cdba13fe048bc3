//! Intervals between requests.

use std::time::Duration;

/// Intervals between requests to CloudFormation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PollIntervals {
    /// Between two requests for the events of a stack.
    pub events: Duration,
    /// Before the second description of a change set; it grows from one to the next.
    pub change_set: Duration,
    /// The longest interval between two descriptions of a change set.
    pub change_set_most: Duration,
    /// The longest interval between repetitions of a failing call.
    pub retry_most: Duration,
}

impl Default for PollIntervals {
    fn default() -> PollIntervals {
        PollIntervals::of(Duration::from_secs(2))
    }
}

impl PollIntervals {
    /// Sets the interval for events, and all others in proportion.
    pub fn of(events: Duration) -> PollIntervals {
        PollIntervals { events, change_set: events / 4, change_set_most: events * 5 / 2, retry_most: events * 15 }
    }
}
