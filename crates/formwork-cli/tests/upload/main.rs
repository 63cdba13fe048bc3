//! Uploads to S3, as scripts use them: against a server of our own that can do what no real one does on
//! demand: refuse, stall, lie, break off (reference/packaging.md#upload,
//! reference/packaging.md#refusals).
#![cfg(all(feature = "aws", unix))]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]

mod endings;
mod faults;
#[path = "../support/http.rs"]
mod http;
mod parts;
#[path = "../live/program.rs"]
#[allow(dead_code, reason = "shared with other tests")]
mod program;
mod project;
mod refusals;
mod regions;
mod server;
mod standard;
mod uploads;
