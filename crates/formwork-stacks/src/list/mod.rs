//! Lists of stacks and of their parts (reference/around.md#list).

#[cfg(feature = "local")]
pub mod endpoints;
mod local_stacks;
mod printing;
pub mod resources;
pub mod stack_outputs;
pub mod stacks;

use clap::Subcommand;
use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::console::ReportArgs;

#[cfg(feature = "local")]
use endpoints::ListEndpointsArgs;
use resources::ListResourcesArgs;
use stack_outputs::ListStackOutputsArgs;
use stacks::ListStacksArgs;

/// The lists.
#[derive(Clone, Debug, Subcommand)]
pub enum ListCommand {
    /// List the stacks of the account and Region.
    Stacks(ListStacksArgs),
    /// List the resources of a stack, with those of nested stacks; without a stack, those of the expanded template.
    Resources(ListResourcesArgs),
    /// List the endpoints of the functions and APIs of a stack, with the methods of each path of the template.
    #[cfg(feature = "local")]
    Endpoints(ListEndpointsArgs),
    /// List the outputs of a stack, with their descriptions.
    StackOutputs(ListStackOutputsArgs),
}

impl ListCommand {
    /// Options of the report.
    pub fn report(&self) -> &ReportArgs {
        match self {
            ListCommand::Stacks(args) => &args.report,
            ListCommand::Resources(args) => &args.report,
            #[cfg(feature = "local")]
            ListCommand::Endpoints(args) => &args.report,
            ListCommand::StackOutputs(args) => &args.report,
        }
    }
}

/// Prints the list.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub fn run(command: &ListCommand) -> Result<Status, Failure> {
    match command {
        ListCommand::Stacks(args) => stacks::run(args),
        ListCommand::Resources(args) => resources::run(args),
        #[cfg(feature = "local")]
        ListCommand::Endpoints(args) => endpoints::run(args),
        ListCommand::StackOutputs(args) => stack_outputs::run(args),
    }
}
