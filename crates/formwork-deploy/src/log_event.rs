//! A line of a log, and which ones are wanted.

use serde_json::Value;

use crate::event_sink::EventSink;
use crate::log_source::LogSource;

/// A line of a log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct LogEvent {
    /// Its ID.
    pub id: String,
    /// When it was written, in milliseconds since 1970.
    pub timestamp: i64,
    /// The stream in the log group.
    pub log_stream: String,
    /// What was written, as it was sent.
    pub message: String,
}

/// Which lines are wanted. Times are in milliseconds since 1970.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogQuery {
    /// Those from this time on.
    pub start: Option<i64>,
    /// Those before this time.
    pub end: Option<i64>,
    /// Those that match this filter pattern of `CloudWatch` Logs.
    pub pattern: Option<String>,
}

/// Receives lines of logs.
pub trait LogSink: EventSink {
    /// A line was written. Lines come in the order of their times, also those of several sources. False ends the listing.
    fn line(&mut self, source: &LogSource, event: &LogEvent) -> bool;

    /// The log group of a source does not exist (yet). Reported once for each.
    fn no_group(&mut self, source: &LogSource);
}

impl LogEvent {
    /// Reads what the service sent; keys that are missing are empty.
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
