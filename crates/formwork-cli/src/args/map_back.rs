//! Arguments of `map-back` (reference/map-back.md).

use std::path::PathBuf;

use clap::Args;
use formwork_map_back::report::Kind;
use formwork_report::MessageFormat;
use formwork_run::args::words;
use formwork_run::console::MESSAGE_FORMATS;

const KINDS: [(&[&str], Kind); 4] =
    [(&["sarif"], Kind::Sarif), (&["cfn-lint"], Kind::CfnLint), (&["events"], Kind::Events), (&["lines"], Kind::Lines)];

#[derive(Debug, Args)]
pub(crate) struct MapBackArgs {
    /// The report, or `-` for standard input [default: standard input].
    pub(crate) report: Option<PathBuf>,
    /// The source map that was written with the expansion.
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: PathBuf,
    /// The expanded template [default: the file that the source map names, if it is there].
    #[arg(long, value_name = "FILE")]
    pub(crate) expanded: Option<PathBuf>,
    /// The kind of the report [default: guessed from its content].
    #[arg(long, value_name = "KIND", value_parser = words(&KINDS))]
    pub(crate) from: Option<Kind>,
    /// Keep the findings of all iterations apart.
    #[arg(long)]
    pub(crate) each: bool,
    /// Use the source map although the expanded template is another one.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print diagnostics in this format instead of a report of the same kind.
    #[arg(long, value_name = "FORMAT", value_parser = words(&MESSAGE_FORMATS))]
    pub(crate) message_format: Option<MessageFormat>,
}
