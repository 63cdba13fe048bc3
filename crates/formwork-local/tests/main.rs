//! Functions as processes, a module for each area.
#![allow(clippy::disallowed_methods, reason = "tests of processes and files")]
#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

mod clients;
mod invoke;
mod logs;
mod pool;
mod support;
