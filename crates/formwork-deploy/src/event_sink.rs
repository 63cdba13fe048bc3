//! The observer of what happens while a step waits.

use std::time::Duration;

use formwork_aws::CallError;

use crate::event::Event;

/// Receives what happens while a step waits.
pub trait EventSink {
    /// Something happened to a stack or a resource. Events come in the order of their times.
    fn event(&mut self, event: &Event);

    /// The service did not answer `call`; it is asked again after `pause`. Reported once per series
    /// of failures.
    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration);

    /// The service did not answer `call` whole, and what it did answer is used.
    fn incomplete(&mut self, call: &'static str, failure: &CallError);
}
