//! What is seen of a run, on the streams of a process (reference/command-line.md#output): lines for people and output on
//! [`terminal`], the [`report`] of what was found in any of its forms, the configuration files that had a part in it
//! ([`configured`]), its progress ([`build_progress`]) and [`timings`], which template was meant ([`default_template`]), and questions to a person
//! ([`confirm`], [`mfa`]).
//!
//! What the words of a command line choose is in [`ReportChoices`], plain data. What a run does is elsewhere: this crate
//! decides how it is shown, and nothing else.
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
