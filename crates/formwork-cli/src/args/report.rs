//! How commands report.

use clap::{Args, ValueEnum};

/// How things are reported.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    /// Print diagnostics in this format.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormatArg,
    /// Use colors.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// Treat warnings as errors.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print what was done, and the inputs that were used.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print how long each stage took.
    #[arg(long)]
    pub(crate) timings: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportFormatArg {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MessageFormatArg {
    #[value(aliases = ["text", "full", "pretty"])]
    Human,
    #[value(aliases = ["concise", "parseable"])]
    Short,
    Json,
    Sarif,
    Github,
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}
