//! `formwork lsp`: the language server on standard input and output.

use crate::Status;
use crate::args::LspArgs;
use crate::failure::Failure;

/// Runs the server until its editor ends it.
///
/// # Errors
/// Never: what is wrong is in the status.
#[expect(clippy::unnecessary_wraps, reason = "commands have one form")]
pub(crate) fn run(args: &LspArgs) -> Result<Status, Failure> {
    let options = formwork_lsp::Options { is_trusted: args.trust, log: args.log.clone() };
    Ok(match formwork_lsp::run(&options) {
        0 => Status::Done,
        1 => Status::Errors,
        _ => Status::Trouble,
    })
}
