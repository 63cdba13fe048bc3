//! The observer of the events during a wait.

use std::time::Duration;

use formwork_aws::CallError;

use crate::event::Event;

/// Receives the events during a wait.
pub trait EventSink {
    /// Receives an event of a stack or a resource. Events come in the order of their times.
    fn event(&mut self, event: &Event);

    /// Receives a failure of `call`, which is repeated after `pause`. Reported once per series of failures.
    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration);

    /// Receives the failure of a `call` that was only partly answered. The partial answer is used.
    fn incomplete(&mut self, call: &'static str, failure: &CallError);
}
