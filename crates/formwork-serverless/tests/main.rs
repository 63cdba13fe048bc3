//! Tests of the serverless transform.
#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "tests read files and name what they skip")]

mod cases;
mod iterations;
mod laws;
mod oracle;
mod run;
