//! Prints lines of logs on standard output.

use std::fmt::Write as _;

use std::time::Duration;

use formwork::display::escape_lines;
use formwork_aws::CallError;
use formwork_deploy::{Event, EventSink, LogEvent, LogSink, LogSource};
use formwork_project::Failure;
use formwork_report::{Form, Notice, printable};
use jiff::Timestamp;
use serde_json::json;

use crate::refusal;
use crate::reporter::DeployReporter;

/// Prints lines of logs, and the errors of reading them.
pub struct LogPrinter<'e, 'r> {
    /// Prints notices.
    pub reporter: &'e mut DeployReporter<'r>,
    /// Prints each line as a JSON object.
    pub is_json: bool,
    /// Error of writing standard output.
    pub failed: Option<Failure>,
}

impl EventSink for LogPrinter<'_, '_> {
    fn event(&mut self, _: &Event) {}

    fn retrying(&mut self, call: &'static str, failure: &CallError, pause: Duration) {
        self.reporter.print(&refusal::repeated(call, failure, pause), None);
    }

    fn incomplete(&mut self, call: &'static str, failure: &CallError) {
        self.reporter.print(&refusal::incomplete(call, failure), None);
    }
}

impl LogSink for LogPrinter<'_, '_> {
    fn line(&mut self, source: &LogSource, event: &LogEvent) -> bool {
        let (text, form) =
            if self.is_json { (object(source, event), Form::Json) } else { (line(source, event), Form::Plain) };
        self.failed = self.reporter.print_output(&text, form).err();
        self.failed.is_none()
    }

    fn no_group(&mut self, source: &LogSource) {
        let group = printable(&source.log_group);
        let notice = match &source.logical_id {
            Some(id) => {
                Notice::note(format!("{} has no logs yet", printable(id))).because(format!("no log group {group}"))
            }
            None => Notice::note(format!("log group {group} does not exist")),
        };
        self.reporter.print(&notice, None);
    }
}

/// Formats `TIME ID message`; further lines of the message are indented.
fn line(source: &LogSource, event: &LogEvent) -> String {
    let id = source.logical_id.as_deref().unwrap_or(&source.log_group);
    let message = message(event);
    let mut lines = message.lines();
    let mut text =
        format!("{} {} {}\n", time(event.timestamp), printable(id), escape_lines(lines.next().unwrap_or("")));
    for more in lines {
        let _ = writeln!(text, "    {}", escape_lines(more));
    }
    text
}

fn object(source: &LogSource, event: &LogEvent) -> String {
    let object = json!({
        "time": time(event.timestamp),
        "timestamp": event.timestamp,
        "logical_id": source.logical_id,
        "log_group": source.log_group,
        "log_stream": event.log_stream,
        "message": message(event),
        "event_id": event.id,
    });
    format!("{object}\n")
}

fn message(event: &LogEvent) -> &str {
    let message = event.message.strip_suffix('\n').unwrap_or(&event.message);
    message.strip_suffix('\r').unwrap_or(message)
}

/// Formats a time in UTC, to the millisecond.
fn time(milliseconds: i64) -> String {
    let time = Timestamp::from_millisecond(milliseconds);
    time.map_or_else(|_| milliseconds.to_string(), |time| format!("{time:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc() {
        assert_eq!(time(1_769_853_600_000), "2026-01-31T10:00:00.000Z");
        assert_eq!(time(1_769_853_600_120), "2026-01-31T10:00:00.120Z");
        assert_eq!(time(i64::MAX), i64::MAX.to_string());
    }
}
