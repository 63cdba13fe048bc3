//! The calls of a deployment, one per file.

pub(crate) mod cancel_update;
pub(crate) mod create_change_set;
pub(crate) mod delete_change_set;
pub(crate) mod delete_stack;
pub(crate) mod describe_events;
pub(crate) mod describe_existing;
pub(crate) mod describe_stack;
pub(crate) mod diagnose;
pub(crate) mod endpoints;
pub(crate) mod examine;
pub(crate) mod execute_change_set;
pub(crate) mod filter_log_events;
pub(crate) mod follow;
pub(crate) mod history;
pub(crate) mod hook_results;
pub(crate) mod known_parameters;
pub(crate) mod list_imports;
pub(crate) mod list_stacks;
pub(crate) mod log_groups;
pub(crate) mod optional;
pub(crate) mod roll_back;
pub(crate) mod set_policy;
pub(crate) mod stack_outputs;
pub(crate) mod stack_resources;
pub(crate) mod validate;
pub(crate) mod wait_until_idle;
