//! How often the service is asked.

use std::time::Duration;

/// How often the service is asked for news.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PollIntervals {
    /// Between two looks at the events of a stack.
    pub events: Duration,
    /// Before the second look at a change set; it grows from look to look.
    pub change_set: Duration,
    /// The longest that is waited between two looks at a change set.
    pub change_set_most: Duration,
    /// The longest that is waited when a call fails again and again.
    pub trouble_most: Duration,
}

impl Default for PollIntervals {
    fn default() -> PollIntervals {
        PollIntervals::of(Duration::from_secs(2))
    }
}

impl PollIntervals {
    /// Looks at events that far apart, and everything else in proportion.
    pub fn of(events: Duration) -> PollIntervals {
        PollIntervals { events, change_set: events / 4, change_set_most: events * 5 / 2, trouble_most: events * 15 }
    }
}
