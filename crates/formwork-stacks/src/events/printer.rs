//! Prints the selected events on standard output.

use std::time::Duration;

use formwork_aws::CallError;
use formwork_deploy::{Event, EventSink, Finding};
use formwork_project::Failure;
use formwork_report::Form;

use super::line::Line;
use crate::around::Places;
use crate::observer::{EventStyle, event_text, time_of};
use crate::refusal;
use crate::reporter::DeployReporter;

/// Selects and prints events.
pub struct EventPrinter<'e, 'r> {
    /// Prints notices.
    pub reporter: &'e mut DeployReporter<'r>,
    /// Places of the resources in the templates.
    pub places: Places,
    /// Prints each event as a JSON object.
    pub is_json: bool,
    /// The path of the only resource to print.
    pub resource: Option<&'e str>,
    /// Prints only failures.
    pub only_failed: bool,
    /// Number of printed events.
    pub count: usize,
    /// Error of writing standard output.
    pub failed: Option<Failure>,
}

impl EventPrinter<'_, '_> {
    /// Prints an event with its finding of early validation, if it is selected.
    pub fn print(&mut self, event: &Event, finding: Option<&Finding>) {
        let is_of_resource = |path: &str| event.resource().is_some() && event.path() == path;
        if self.failed.is_some() || !self.resource.is_none_or(is_of_resource) {
            return;
        }
        let origin = event.resource().and_then(|(within, id)| self.places.of(within, id, &event.kind));
        let line = Line::new(event, finding);
        let printed = if self.is_json {
            let reason = line.event.reason.as_deref().filter(|reason| !reason.is_empty());
            let reason = reason.map(|reason| self.reporter.mask(reason));
            let object = line.object(time_of(event).as_deref(), reason.as_deref(), origin.as_ref());
            self.reporter.print_output(&format!("{object}\n"), Form::Json)
        } else {
            let style = EventStyle { colors: self.reporter.colors_output(), width: self.reporter.output_width() };
            let text = event_text(self.reporter, &line.event, &line.words(), origin.as_ref(), style);
            self.reporter.print_output(&format!("{text}\n"), Form::words(style.colors))
        };
        self.count += 1;
        self.failed = printed.err();
    }
}

impl EventSink for EventPrinter<'_, '_> {
    fn event(&mut self, event: &Event) {
        if !self.only_failed || is_failure(event) {
            self.print(event, None);
        }
    }

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.reporter.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.reporter.print(&refusal::incomplete(call, failure), None);
    }
}

/// Returns `true` for the failure of a resource or of a hook.
pub fn is_failure(event: &Event) -> bool {
    event.is_failure() || event.hook.as_ref().is_some_and(formwork_deploy::HookInvocation::is_failure)
}
