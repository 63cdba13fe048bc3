//! Options of a baseline (reference/diagnostics.md#baseline).

use std::path::PathBuf;

use clap::Args;

/// Known findings.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Baseline")]
pub struct BaselineArgs {
    /// Pass over the findings in this file, and report those of it that are gone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["explain", "list_codes"])]
    pub baseline: Option<PathBuf>,
    /// Write everything that is found to the file of `--baseline`.
    #[arg(long, requires = "baseline", conflicts_with = "diff")]
    pub write_baseline: bool,
}
