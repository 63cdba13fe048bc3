//! What is computed, or why it is not.

use formwork_syntax::NodeId;

/// The reason why an answer is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// It is wrong, which was reported.
    Reported,
    /// It needs a goal that is on the agenda, and is to be asked for again after it.
    Waits,
}

/// What was computed, or why it could not be.
pub(super) type Resolved<T> = Result<T, Stop>;

/// The answer if it exists, nothing for an error. What waits is passed on to the caller.
pub(super) fn unless_wrong<T>(made: Resolved<T>) -> Resolved<Option<T>> {
    match made {
        Ok(answer) => Ok(Some(answer)),
        Err(Stop::Reported) => Ok(None),
        Err(Stop::Waits) => Err(Stop::Waits),
    }
}

/// What a node becomes: a node of the result, or nothing, so that the key or element is removed.
pub(super) type Value = Resolved<Option<NodeId>>;
