//! The laws of the formatter, and what it does with cases of each rule.
#![allow(clippy::disallowed_methods, reason = "tests read files")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what was skipped and counted is shown")]
#![allow(clippy::format_push_string, reason = "files are generated as they are read")]

mod cases;
mod corpora;
mod generated;
mod laws;
