//! Live account data, as scripts use it: against moto's server, which others wrote, with boto3 as the
//! second opinion; and what is refused before anything is asked.
#![cfg(feature = "aws")]
#![allow(clippy::disallowed_methods, reason = "a test of files on disk, of programs and of a network")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod account;
mod credentials;
mod moto;
mod program;
mod runs;
mod usage;
