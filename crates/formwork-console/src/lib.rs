//! What is seen of a run, on the streams of a process (reference/command-line.md#output).
//!
//! [`terminal`] is the only place of the program that prints: lines for people on standard error, output on standard
//! output. It escapes what acts on a terminal once more; clippy refuses `println!` and its like elsewhere.
//! [`report::Reporter`] prints the report of a run in whatever form was chosen. The others are what a run has to show
//! besides: the configuration files that had a part in it ([`configured`]), its progress ([`build_progress`]) and
//! [`timings`], which template was meant ([`default_template`]), and questions to a person ([`confirm`], [`mfa`]).
//!
//! What the words of a command line choose is in [`ReportChoices`], plain data. What a run does is elsewhere: this
//! crate decides how it is shown, and nothing else.
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
