//! The commands of `formwork local`: they read the template, prepare the functions, and call one or serve all
//! (reference/local.md).

mod args;
mod credentials;
mod generate_event;
mod invoke;
mod project;
mod server;
mod start_api;
mod start_lambda;

use formwork_project::Failure;
use formwork_run::Status;

pub use args::LocalCommand;

/// Does what a command of `local` asks for.
///
/// # Errors
/// Those of the command.
pub fn run(command: &LocalCommand) -> Result<Status, Failure> {
    // The runs end their functions and remove what they made.
    formwork::disk::temporaries::leave_signals();
    match command {
        LocalCommand::Invoke(args) => invoke::run(args),
        LocalCommand::StartLambda(args) => start_lambda::run(args),
        LocalCommand::StartApi(args) => start_api::run(args),
        LocalCommand::GenerateEvent(args) => {
            generate_event::run(args.service.as_deref(), args.event.as_deref(), &args.values)
        }
    }
}
