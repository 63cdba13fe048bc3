//! Arguments of `lsp`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Log errors of the server itself to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Trust the directories that the editor opens: read modules above them, in their project.
    #[arg(long)]
    pub(crate) trust: bool,
    /// Accepted for editors that pass it: messages are always on standard input and output.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
