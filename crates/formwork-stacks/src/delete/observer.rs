//! Prints the progress of a deletion, and asks questions.

use std::time::Duration;

use formwork::Severity;
use formwork_aws::CallError;
use formwork_deploy::{Answer, DeployObserver, Event, EventSink, Progress, Question, StackResource, status};
use formwork_report::Notice;

use crate::reporter::DeployReporter;
use crate::{account_of, observer, refusal};

/// Prints the progress of a deletion, a line for each event, and asks questions.
pub struct DeletePrinter<'e, 'r> {
    /// Prints the lines.
    pub reporter: &'e mut DeployReporter<'r>,
    /// Name of the stack.
    pub stack_name: &'e str,
    /// Region of the stack.
    pub region: String,
    /// ARN of the stack, once it was described.
    pub stack_id: Option<String>,
    /// Events of resources that could not be deleted.
    pub failed: Vec<Event>,
    /// Set when uploaded files could not be deleted.
    pub has_artifacts_left: bool,
    can_ask: bool,
}

impl<'e, 'r> DeletePrinter<'e, 'r> {
    /// Creates a printer for a deletion.
    pub fn new(
        reporter: &'e mut DeployReporter<'r>,
        stack_name: &'e str,
        region: String,
        can_ask: bool,
    ) -> DeletePrinter<'e, 'r> {
        DeletePrinter {
            reporter,
            stack_name,
            region,
            stack_id: None,
            failed: Vec::new(),
            has_artifacts_left: false,
            can_ask,
        }
    }
}

impl EventSink for DeletePrinter<'_, '_> {
    fn event(&mut self, event: &Event) {
        observer::print_event(self.reporter, event, None);
        if event.is_failure() && event.resource().is_some() {
            self.failed.push(event.clone());
        }
    }

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.reporter.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.reporter.print(&refusal::incomplete(call, failure), None);
    }
}

impl DeployObserver for DeletePrinter<'_, '_> {
    fn progress(&mut self, progress: Progress<'_>) {
        let name = self.stack_name;
        match progress {
            Progress::Waiting(stack) if stack.status == "DELETE_IN_PROGRESS" => {
                self.reporter.print_line(&format!("Stack {name} is being deleted already; waiting for it"));
            }
            Progress::Waiting(stack) => self.reporter.print_line(&format!(
                "Stack {name} is in {}: {} has to end first",
                stack.status,
                status::operation(&stack.status)
            )),
            Progress::PoliciesUnknown(error) => {
                let notice = refusal::of(error, name);
                let message = format!("resources that their DeletionPolicy keeps are not known: {}", notice.message);
                self.reporter.print(&Notice { severity: Severity::Warning, message, ..notice }, None);
            }
            Progress::EmptyingBucket(bucket) => {
                self.reporter.print_line(&format!("Emptying bucket {} ({})", bucket.path(), bucket.physical_id));
            }
            Progress::BucketEmptied(bucket, count) => self.reporter.print_line(&format!(
                "Bucket {} is empty: {count} {} deleted",
                bucket.path(),
                if count == 1 { "object version" } else { "object versions" }
            )),
            Progress::DeletionBegun => self.reporter.print_line(&format!("Waiting for stack {name} to be deleted")),
            Progress::ArtifactsDeleted(bucket, count) => {
                let noun = if count == 1 { "file" } else { "files" };
                self.reporter.print_line(&format!("{count} uploaded {noun} deleted from bucket {bucket}"));
            }
            Progress::ArtifactsLeft(error) => {
                self.has_artifacts_left = true;
                let notice = refusal::of_aws_error(error);
                let message = format!("the stack is deleted, and uploaded files are left: {}", notice.message);
                self.reporter.print(&Notice { message, ..notice }, None);
            }
            // Events of later library versions are ignored.
            _ => {}
        }
    }

    fn ask(&mut self, question: Question<'_>) -> Answer {
        if !self.can_ask {
            return Answer::Unattended;
        }
        let Question::Delete(resources) = question else { return Answer::No };
        let lost: Vec<String> = resources.iter().filter(|one| one.loses_data()).map(StackResource::path).collect();
        if !lost.is_empty() {
            self.reporter.print(&Notice::warning(format!("data is lost: {}", lost.join(", "))), None);
        }
        let account = self.stack_id.as_deref().and_then(account_of);
        let place = account.map_or_else(|| self.region.clone(), |id| format!("{}, account {id}", self.region));
        self.reporter.ask(&format!("Delete stack {} in {place}?", self.stack_name))
    }
}
