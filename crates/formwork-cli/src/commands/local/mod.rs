//! `formwork local` (reference/local.md).

mod credentials;
mod generate_event;
mod invoke;
mod project;
mod server;
mod start_api;
mod start_lambda;

use crate::Status;
use crate::args::LocalCommand;
use crate::failure::Failure;

pub(crate) fn run(command: &LocalCommand) -> Result<Status, Failure> {
    // The runs end their functions and remove what they made.
    formwork::disk::temporaries::leave_signals();
    match command {
        LocalCommand::Invoke(args) => invoke::run(args),
        LocalCommand::StartLambda(args) => start_lambda::run(args),
        LocalCommand::StartApi(args) => start_api::run(args),
        LocalCommand::GenerateEvent(args) => generate_event::run(args),
    }
}
