//! Lines of logs, and their selection.

use serde_json::Value;

use crate::event_sink::EventSink;
use crate::log_source::LogSource;

/// A line of a log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LogEvent {
    /// ID of the line.
    pub id: String,
    /// Time in milliseconds since 1970.
    pub timestamp: i64,
    /// The stream in the log group.
    pub log_stream: String,
    /// The message as it was sent.
    pub message: String,
}

/// Selects lines of logs. Times are in milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogQuery {
    /// Time of the first line, inclusive.
    pub start: Option<i64>,
    /// Time of the end, exclusive.
    pub end: Option<i64>,
    /// A filter pattern of `CloudWatch` Logs.
    pub pattern: Option<String>,
}

/// Receives lines of logs.
pub trait LogSink: EventSink {
    /// Receives a line. Lines come in the order of their times, also those of several sources. `false` ends the
    /// listing.
    fn line(&mut self, source: &LogSource, event: &LogEvent) -> bool;

    /// Receives a source whose log group does not exist (yet). Reported once for each.
    fn no_group(&mut self, source: &LogSource);
}

impl LogEvent {
    /// Converts an event of the service; missing keys are empty.
    pub(crate) fn of(event: &Value) -> LogEvent {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        LogEvent {
            id: text("eventId"),
            timestamp: event["timestamp"].as_i64().unwrap_or_default(),
            log_stream: text("logStreamName"),
            message: text("message"),
        }
    }
}
