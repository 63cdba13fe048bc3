//! Prints repeated calls to CloudFormation outside of deployments.

use std::time::Duration;

use formwork_aws::CallError;
use formwork_deploy::{Event, EventSink};

use super::refusal;
use super::reporter::DeployReporter;

/// Prints repeated calls; other events are ignored.
pub struct Retries<'s, 'r>(pub &'s mut DeployReporter<'r>);

impl EventSink for Retries<'_, '_> {
    fn event(&mut self, _: &Event) {}

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.0.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.0.print(&refusal::incomplete(call, failure), None);
    }
}
