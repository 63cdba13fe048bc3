//! What the test targets share. Each target of `tests/tests/` is a suite:
//!
//! - `fixtures`: own cases, one file per rule of the specification (`tests/fixtures/README.md`);
//! - `conformance`: the shared suites, through the library.
//!
//! Everything runs the library on files in memory; the binary has tests of its own in `formwork-cli`.
#![allow(clippy::disallowed_methods, reason = "tests read fixtures, the environment and the clock")]
#![allow(clippy::print_stderr, reason = "skipped suites are reported")]

pub mod compare;
pub mod conformance;
pub mod data;
pub mod english;
pub mod fixture;
pub mod generate;
pub mod outcome;
pub mod packaging;
pub mod project;
pub mod properties;
pub mod reference;
pub mod source;
pub mod words;
