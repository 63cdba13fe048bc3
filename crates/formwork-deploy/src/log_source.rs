//! Sources of logs and their log groups.

/// A source of logs, and its log group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogSource {
    /// Logical ID of the resource, after those of the enclosing nested stacks; `None` for a log group that was named
    /// itself.
    pub logical_id: Option<String>,
    /// Name of the log group.
    pub log_group: String,
}
