//! Results of computations.

use formwork_syntax::NodeId;

/// The reason why an answer is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Reported,
    /// A dependence on a goal on the agenda, after which the answer is to be requested again.
    Waits,
}

pub(super) type Resolved<T> = Result<T, Stop>;

/// Returns the answer if it exists, and `None` for an error. [`Stop::Waits`] is passed on to the caller.
pub(super) fn unless_wrong<T>(made: Resolved<T>) -> Resolved<Option<T>> {
    match made {
        Ok(answer) => Ok(Some(answer)),
        Err(Stop::Reported) => Ok(None),
        Err(Stop::Waits) => Err(Stop::Waits),
    }
}

/// A node of the result; `None` removes the key or element.
pub(super) type Value = Resolved<Option<NodeId>>;
