//! Arguments of `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write one page per command into this directory, instead of one page for all to standard output.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}
