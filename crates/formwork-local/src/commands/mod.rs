//! What `formwork local` does once its words are known: the template is read, the functions get what they run with, and one
//! is called or all are served (reference/local.md).

mod choices;
mod credentials;
pub mod generate_event;
pub mod invoke;
mod project;
mod server;
pub mod start_api;
pub mod start_lambda;

pub use choices::{InvokeChoices, LocalChoices, ServerChoices, StartApiChoices};
