//! The output of a run on the streams of a process (reference/command-line.md#output).
//!
//! [`terminal`] is the only part of the program that prints: messages on standard error, output on standard output. It
//! escapes whatever acts on a terminal; clippy rejects `println!` and the like elsewhere. [`report::Reporter`] prints
//! the report of a run in the chosen form. The other modules print the configuration files that affected the run
//! ([`configured`]), its progress ([`build_progress`]) and [`timings`], the template that was chosen
//! ([`default_template`]), and questions to a person ([`confirm`], [`mfa`]).
//!
//! [`ReportChoices`] has the options as plain data. This crate only presents results; the work of a run is elsewhere.
#![allow(clippy::disallowed_methods, reason = "standard streams and the clock enter here")]

pub mod build_progress;
mod choices;
pub mod configured;
pub mod confirm;
pub mod default_template;
pub mod mfa;
pub mod report;
pub mod terminal;
pub mod timings;

pub use choices::{Color, ReportChoices};
