//! `deploy` and `validate` against a scripted CloudFormation: what is asked, what people see, and the
//! status at the end, for every way in which a deployment goes. Snapshots hold what people read.
#![cfg(all(feature = "aws", unix))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

mod analyses;
mod answers;
#[path = "../images/archive.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod archive;
mod buckets;
mod change_sets;
mod delete;
mod display;
#[path = "../images/double.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod double;
mod drift;
mod endings;
mod execute;
mod express;
mod guided;
mod habits;
mod hooks;
#[path = "../support/http.rs"]
mod http;
mod imports;
mod interrupts;
mod nested;
mod objects;
mod packaging;
mod parameters;
mod program;
mod refusals;
mod robust;
mod running;
mod server;
mod statuses;
mod validate;
mod validations;
mod values;
