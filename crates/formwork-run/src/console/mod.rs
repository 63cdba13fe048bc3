//! The output of a run on the streams of a process (reference/command-line.md#output).
//!
//! [`report::Reporter`] prints the report of a run in the chosen form. The other modules print the configuration files
//! that affected the run ([`configured`]), its progress ([`build_progress`]) and [`timings`], and questions to a person
//! ([`confirm`]).
//!
//! What the command line chooses is in [`ReportArgs`]. What a run does is elsewhere: this crate decides how it is shown,
//! and nothing else.

mod args;
pub mod build_progress;
pub mod configured;
pub mod confirm;
pub mod report;
pub mod timings;

pub use args::{Color, MESSAGE_FORMATS, ReportArgs, ReportFormat};
