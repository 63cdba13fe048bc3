//! `deploy` and `validate` against a scripted CloudFormation: what is asked, what people see, and the
//! status at the end, for every way in which a deployment goes. Snapshots hold what people read.
#![cfg(all(feature = "aws", unix))]

mod after_build;
mod analyses;
pub(crate) mod answers;
mod buckets;
mod change_sets;
mod delete;
mod diagnose;
mod display;
mod drift;
mod endings;
mod endpoints;
mod events;
mod execute;
mod express;
mod guided;
mod habits;
mod hooks;
mod imports;
mod interrupts;
mod lies;
mod lists;
mod logs;
mod nested;
mod objects;
mod options;
mod outputs;
mod packaging;
mod parameters;
mod program;
pub(crate) mod refactor;
mod refusals;
mod robust;
pub(crate) mod running;
pub(crate) mod server;
mod statuses;
mod validate;
mod validations;
mod values;
mod widths;
