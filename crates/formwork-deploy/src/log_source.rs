//! What writes logs, and its log group.

/// What writes logs, and its log group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogSource {
    /// The logical ID of the resource, behind those of the nested stacks around it; `None` for a log group that was named
    /// itself.
    pub logical_id: Option<String>,
    /// The name of the log group.
    pub log_group: String,
}
