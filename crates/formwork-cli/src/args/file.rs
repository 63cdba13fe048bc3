//! Arguments of commands that read one file and write one.

use std::path::PathBuf;

use clap::Args;

/// A file in, a file out.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// The file.
    pub(crate) file: PathBuf,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
