//! What the words of a command line choose for a deletion, as plain data.

use formwork_console::ReportChoices;

use crate::around::AccountChoices;

/// What is wanted of a deletion.
#[derive(Clone, Debug)]
pub struct DeleteChoices {
    /// The stack, by name.
    pub stack: Option<String>,
    /// Logical IDs of resources that stay.
    pub retain_resources: Vec<String>,
    /// Whether resources that cannot be deleted are left.
    pub is_forced: bool,
    /// Whether buckets are emptied first.
    pub force_empty_buckets: bool,
    /// The bucket whose uploaded files are deleted.
    pub s3_bucket: Option<String>,
    /// The prefix of their keys.
    pub s3_prefix: Option<String>,
    /// Whether nobody is asked.
    pub yes: bool,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// Whether it is one in express mode, whatever `samconfig.toml` sets.
    pub express: Option<bool>,
    /// Whether an operation in progress is waited for.
    pub wait: bool,
    /// The minutes after which it is not followed any more.
    pub max_wait_duration: Option<f64>,
    /// The seconds between looks at events.
    pub poll_delay: f64,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The account of the stack.
    pub account: AccountChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}
