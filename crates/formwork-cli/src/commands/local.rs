//! `formwork local` (reference/local.md).

mod invoke;
mod project;

use crate::Status;
use crate::args::LocalCommand;
use crate::failure::Failure;

pub(crate) fn run(command: &LocalCommand) -> Result<Status, Failure> {
    match command {
        LocalCommand::Invoke(args) => invoke::run(args),
    }
}
