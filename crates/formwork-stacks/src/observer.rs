//! Prints the progress of a deployment, and asks questions.

use std::time::Duration;

use formwork::Severity;
use formwork_aws::CallError;
use formwork_deploy::{Answer, DeployError, DeployObserver, Event, EventSink, Progress, Question, status};
use formwork_report::{Notice, printable};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::layout::Layout;
use super::places::{self, Origin, Sources};
use super::reporter::{Color, DeployReporter};
use super::{account_of, changes, examined, express, refusal, renames, reporter};

/// Prints the progress of a deployment, a line for each event with the author's line of each resource, and asks
/// questions.
pub struct Printer<'e, 'r> {
    /// Prints the lines.
    pub reporter: &'e mut DeployReporter<'r>,
    /// The templates.
    pub sources: Sources,
    /// Name of the stack.
    pub stack_name: &'e str,
    /// Region of the stack.
    pub region: String,
    /// Set when questions can be answered.
    pub can_ask: bool,
    /// Number of warnings of early validation and hooks about the change set.
    pub warnings: usize,
    /// Shows the changes.
    pub shows_changes: bool,
}

/// Width of a status; longer ones push the rest of their line.
const STATUS: usize = 20;

impl EventSink for Printer<'_, '_> {
    fn event(&mut self, event: &Event) {
        let origin = event.resource().and_then(|(within, logical_id)| self.sources.of(within, logical_id));
        print_event(self.reporter, event, origin.as_ref());
    }

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.reporter.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.reporter.print(&refusal::incomplete(call, failure), None);
    }
}

impl DeployObserver for Printer<'_, '_> {
    fn progress(&mut self, progress: Progress<'_>) {
        let name = self.stack_name;
        match progress {
            Progress::Replacing(stack) => {
                self.reporter
                    .print_line(&format!("Stack {name} is in {}: it is deleted and created again", stack.status));
            }
            Progress::Waiting(stack) => self.reporter.print_line(&format!(
                "Stack {name} is in {}: {} has to end first",
                stack.status,
                status::operation(&stack.status)
            )),
            Progress::NoChanges => {
                self.reporter.print_line(&format!("No changes to deploy. Stack {name} is up to date"));
            }
            Progress::CreatingChangeSet => {
                self.reporter.print_line(&format!(
                    "Waiting for the change set of stack {name} in {} to be created",
                    self.region
                ));
            }
            Progress::Executing => {
                self.reporter.print_line(&format!("Waiting for stack {name} to be created or updated"));
            }
            Progress::ChangeSetCreated(_) if !self.shows_changes => {}
            Progress::EmptyStackLeft(error) => {
                let notice = refusal::of(error, name);
                let message = format!("the empty stack {name} is left: {}", notice.message);
                let help = format!("remove it with `formwork delete --stack-name {name}`");
                self.reporter.print(&Notice { severity: Severity::Warning, message, ..notice }.help(help), None);
            }
            Progress::ChangeSetCreated(set) => changes::show(set, self.reporter, &mut self.sources),
            Progress::Examined(examination) => {
                self.warnings = examination.warnings();
                examined::print(examination, self.reporter, &mut self.sources);
            }
            Progress::Replaces(changes) => express::print_replaced(changes, self.reporter, &mut self.sources),
            Progress::MayBeRenamed(deployed) => {
                if let Some(notice) = renames::note(name, deployed, &self.sources) {
                    self.reporter.print(&notice, None);
                }
            }
            Progress::NothingDrifted => {
                let notice = Notice::note(format!("stack {name} does not exist: there is no drift to revert"));
                self.reporter.print(&notice, None);
            }
            Progress::AlreadyExecuted(set) => {
                self.reporter.print_line(&format!("The change set was already executed: {}", printable(&set.id)));
            }
            Progress::LeftUnexecuted(set) => {
                let id = printable(&set.id);
                self.reporter.print_line(&format!("The change set is left unexecuted: {id}"));
                self.reporter.print_line(&format!("Execute it with: formwork deploy --execute-change-set {id}"));
            }
            Progress::Cancelling => {
                self.reporter.print_line(&format!("The update of {name} is cancelled; Ctrl-C again to stop watching"));
            }
            Progress::NotCancellable => {
                self.reporter.print(&Notice::warning("the create of a stack cannot be cancelled"), None);
            }
            Progress::OutputsUnknown(error) => self.warn(error, "the outputs are not known"),
            Progress::PolicyNotSet(error) => self.warn(error, "the stack policy is not set"),
            // Events of later library versions are ignored.
            _ => {}
        }
    }

    fn ask(&mut self, question: Question<'_>) -> Answer {
        // A deployment asks no other question.
        let (Question::LoseData(set, _) | Question::Execute(set)) = &question else { return Answer::No };
        if let Question::LoseData(_, lost) = &question {
            if !self.can_ask {
                return Answer::Unattended;
            }
            let lost: Vec<String> = lost.iter().map(|change| change.path()).collect();
            self.reporter.print(&Notice::warning(refusal::data_loss(&lost)), None);
        }
        let account = account_of(&set.stack_id);
        let place = account.map_or_else(|| self.region.clone(), |id| format!("{}, account {id}", self.region));
        let warnings = match self.warnings {
            0 => String::new(),
            1 => " with 1 warning".to_owned(),
            number => format!(" with {number} warnings"),
        };
        self.reporter.ask(&format!("Deploy this change set{warnings} to stack {} in {place}?", self.stack_name))
    }
}

/// The layout of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventStyle {
    /// Uses colours.
    pub colors: bool,
    /// Columns of the terminal; `None` for other streams.
    pub width: Option<usize>,
}

/// Formats an event as lines for people, without a line break at the end.
pub fn event_text(
    reporter: &DeployReporter<'_>,
    event: &Event,
    words: &[&str],
    origin: Option<&Origin>,
    style: EventStyle,
) -> String {
    let time = format!("{:TIME$}", time_of(event).as_deref().unwrap_or("-"));
    let paint = |text: &str, color| reporter::paint(text, color, style.colors);
    let mut lines = Layout::new(time.len() + 2, style.width);
    let status = reporter.clean(&event.status);
    lines.add(&time, &time);
    lines.add(&paint(&format!("{status:STATUS$}"), color(&event.status)), &format!("{status:STATUS$}"));
    let name = match (event.path(), event.kind.as_str()) {
        (path, "") if path.is_empty() => "-".to_owned(),
        (path, "") => reporter.clean(&path),
        (path, kind) => format!("{} ({})", reporter.clean(&path), reporter.clean(kind)),
    };
    lines.add(&name, &name);
    if let Some(place) = origin.map(places::words) {
        lines.add(&paint(&place, Color::Dim), &place);
    }
    for words in words {
        lines.add_words(&reporter.clean(words));
    }
    lines.into_text()
}

const TIME: usize = "2026-01-31 10:00:00+00:00".len();

/// Returns the time of an event in the zone of the machine, if the event has one.
pub fn time_of(event: &Event) -> Option<String> {
    (event.time != 0).then(|| time(event.time, &TimeZone::system()))
}

/// Prints an event: a line that fits the terminal, with the author's line when there is one.
pub fn print_event(reporter: &DeployReporter<'_>, event: &Event, origin: Option<&Origin>) {
    let time = time_of(event);
    let reason = event.reason.as_deref().filter(|reason| !reason.is_empty());
    let style = EventStyle { colors: reporter.colors(), width: reporter.error_width() };
    let text = if reporter.is_for_people() {
        event_text(reporter, event, reason.as_slice(), origin, style)
    } else {
        String::new()
    };
    reporter.line(&text, || {
        let event = json!({
            "time": time,
            "stack": event.stack_name,
            "path": event.within,
            "logical_id": event.logical_id,
            "type": event.kind,
            "status": event.status,
            "reason": reason.map(|reason| reporter.mask(reason)),
        });
        json!({"event": places::with_source(event, origin)})
    });
}

impl Printer<'_, '_> {
    /// Warns of an error after a deployment that is done.
    fn warn(&mut self, error: &DeployError, what: &str) {
        let notice = refusal::of(error, self.stack_name);
        let notice = Notice { severity: Severity::Warning, message: format!("{what}: {}", notice.message), ..notice };
        self.reporter.print(&notice.because(format!("the deployment of {} is done", self.stack_name)), None);
    }
}

fn color(status: &str) -> Color {
    match status {
        _ if status.contains("FAILED") || status.contains("ROLLBACK") => Color::Red,
        _ if status.ends_with("_IN_PROGRESS") => Color::Yellow,
        _ => Color::Green,
    }
}

/// Formats a time in a zone, to the second, with its offset.
fn time(nanoseconds: i128, zone: &TimeZone) -> String {
    let Ok(time) = Timestamp::from_nanosecond(nanoseconds) else { return String::new() };
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_their_offset() {
        let at = 1_769_853_600_123_000_000;
        assert_eq!(time(at, &TimeZone::UTC), "2026-01-31 10:00:00+00:00");
        let zone = TimeZone::fixed(jiff::tz::offset(-3));
        assert_eq!(time(at, &zone), "2026-01-31 07:00:00-03:00");
    }
}
