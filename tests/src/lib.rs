//! What the two test binaries of `tests/tests` share:
//!
//! - `it`: laws, limits and the rules of the house, a module for each;
//! - `suites`: cases that are files, a test for each: own ones (`tests/fixtures/README.md`), the shared suites through the
//!   library, and templates that people run.
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
