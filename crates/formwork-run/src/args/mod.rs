//! Arguments that commands have in common: each is one struct, which the command line is read into and the work is done
//! with.

mod config;
mod inputs;
mod schemas;
mod serverless;
mod upload;
mod words;

pub use config::ConfigArgs;
pub use inputs::{AwsArgs, InputArgs, LiveArgs, parameter_word};
pub use schemas::SchemaArgs;
pub use serverless::ServerlessArgs;
pub use upload::UploadArgs;
pub use words::words;

/// What one of two options chooses that undo each other; `None` without both.
pub fn either(yes: bool, no: bool) -> Option<bool> {
    if yes || no { Some(yes) } else { None }
}
