//! Arguments of commands that report.

use std::io::IsTerminal as _;

use crate::args::{UploadArgs, words};
use crate::upload::ProgressStyle;
use clap::{Args, ValueEnum};
use formwork_report::MessageFormat;

/// The words of `--message-format`.
pub const MESSAGE_FORMATS: [(&[&str], MessageFormat); 6] = [
    (&["human", "text", "full", "pretty"], MessageFormat::Human),
    (&["short", "concise", "parseable"], MessageFormat::Short),
    (&["json"], MessageFormat::Json),
    (&["sarif"], MessageFormat::Sarif),
    (&["github"], MessageFormat::Github),
    (&["junit"], MessageFormat::Junit),
];

/// Options of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Args)]
#[command(next_help_heading = "Reports")]
pub struct ReportArgs {
    /// Print diagnostics in this format.
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = words(&MESSAGE_FORMATS))]
    pub message_format: MessageFormat,
    /// Use colors.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Treat warnings as errors.
    #[arg(long)]
    pub strict: bool,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print what was done, and the inputs that were used.
    #[arg(short, long)]
    pub verbose: bool,
    /// Print how long each stage took.
    #[arg(long)]
    pub timings: bool,
}

impl ReportArgs {
    /// Returns how uploads are reported.
    pub fn progress(&self, upload: &UploadArgs) -> ProgressStyle {
        ProgressStyle {
            shows: std::io::stderr().is_terminal() && !upload.no_progressbar && !self.quiet,
            is_verbose: self.verbose,
            is_quiet: self.quiet,
        }
    }
}

impl Default for ReportArgs {
    fn default() -> ReportArgs {
        ReportArgs {
            message_format: MessageFormat::Human,
            color: Color::Auto,
            strict: false,
            quiet: false,
            verbose: false,
            timings: false,
        }
    }
}

/// The format of a result that is neither a template nor a report of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs, reason = "a comment of a value is a line of the help")]
pub enum ReportFormat {
    Text,
    Json,
}

impl ReportFormat {
    /// Returns whether an option asks for JSON.
    pub fn is_json(format: Option<ReportFormat>) -> bool {
        format == Some(ReportFormat::Json)
    }
}

/// The choice of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
#[allow(missing_docs, reason = "a comment of a value is a line of the help")]
pub enum Color {
    #[default]
    Auto,
    Always,
    Never,
}
