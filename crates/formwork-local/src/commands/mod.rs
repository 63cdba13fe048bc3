//! The commands of `formwork local`: they read the template, prepare the functions, and call one or serve all
//! (reference/local.md).

mod choices;
mod credentials;
pub mod generate_event;
pub mod invoke;
mod project;
mod server;
pub mod start_api;
pub mod start_lambda;

pub use choices::{InvokeChoices, LocalChoices, ServerChoices, StartApiChoices};
