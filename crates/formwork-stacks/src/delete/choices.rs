//! The choices of a command line for a deletion, as plain data.

use formwork_console::ReportChoices;

use crate::around::AccountChoices;

/// The arguments of a deletion.
#[derive(Clone, Debug)]
pub struct DeleteChoices {
    /// Name of the stack.
    pub stack: Option<String>,
    /// Logical IDs of resources to retain.
    pub retain_resources: Vec<String>,
    /// Leaves resources that cannot be deleted.
    pub is_forced: bool,
    /// Empties buckets first.
    pub force_empty_buckets: bool,
    /// The bucket whose uploaded files are deleted.
    pub s3_bucket: Option<String>,
    /// The prefix of the uploaded keys.
    pub s3_prefix: Option<String>,
    /// Deletes without a question.
    pub yes: bool,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// Express mode on or off; `None` leaves that to `samconfig.toml`.
    pub express: Option<bool>,
    /// Waits for an operation in progress.
    pub wait: bool,
    /// Minutes after which the deletion is no longer followed.
    pub max_wait_duration: Option<f64>,
    /// Seconds between two requests for events.
    pub poll_delay: f64,
    /// Prints JSON.
    pub is_json: bool,
    /// The account of the stack.
    pub account: AccountChoices,
    /// The form of the output.
    pub report: ReportChoices,
}
