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
    /// Record the messages of the session in this file: a line of JSON for each, the values of `NoEcho` parameters masked.
    #[arg(long, value_name = "LOG")]
    pub(crate) record: Option<PathBuf>,
    /// Play the client's side of a recording, and print what the server answers otherwise.
    #[arg(long, value_name = "LOG", conflicts_with = "record")]
    pub(crate) replay: Option<PathBuf>,
    /// The directory that was open when the session was recorded (default: that of the recording).
    #[arg(long, value_name = "DIR", requires = "replay")]
    pub(crate) root: Option<PathBuf>,
    /// Write the answers of this time into the recording.
    #[arg(long, requires = "replay")]
    pub(crate) update: bool,
    /// Send every request at each place that a change touched, and look whether the answers are in the document.
    #[arg(long, requires = "replay")]
    pub(crate) probe: bool,
    /// Accepted for editors that pass it: messages are always on standard input and output.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
