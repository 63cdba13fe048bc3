//! The server, asked over a connection in memory.
#![allow(clippy::disallowed_methods, reason = "tests: files and environment")]
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, clippy::struct_field_names, reason = "tests")]
#![allow(clippy::format_push_string, missing_docs, unreachable_pub, reason = "tests")]

mod cases;
mod client;
mod code_actions;
mod edits;
mod hostile;
mod latency;
mod life;
mod markup;
mod progress;
mod races;
mod readable;
mod renames;
mod sessions;
mod trust;
mod watch;
