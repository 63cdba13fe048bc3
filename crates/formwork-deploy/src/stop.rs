//! Why a step did not come to its end.

use formwork_aws::Failure;

/// Why a step did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// By Ctrl-C. What was begun at the service goes on.
    Interrupted,
    /// The time that was given is over. What was begun at the service goes on.
    TimedOut,
    /// A call failed.
    Failed {
        /// The call, such as `CreateChangeSet`.
        call: &'static str,
        /// Why.
        failure: Failure,
    },
}
