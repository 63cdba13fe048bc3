//! `deploy` and `validate` against a scripted CloudFormation: what is asked, what people see, and the
//! status at the end, for every way in which a deployment goes. Snapshots hold what people read.
#![cfg(all(feature = "aws", unix))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

mod after_build;
mod analyses;
mod answers;
#[path = "../images/archive.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod archive;
#[path = "../schemas/blocks.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod blocks;
mod buckets;
mod change_sets;
mod delete;
mod diagnose;
mod display;
#[path = "../images/double.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod double;
mod endings;
mod endpoints;
mod events;
mod express;
mod guided;
mod habits;
mod hooks;
#[path = "../support/http.rs"]
mod http;
mod interrupts;
#[path = "../support/json_schema.rs"]
mod json_schema;
mod lists;
mod logs;
mod nested;
mod objects;
mod outputs;
mod packaging;
mod parameters;
mod program;
mod refusals;
mod robust;
mod running;
#[path = "../schemas/schema.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod schema;
mod server;
mod statuses;
mod validate;
mod validations;
