//! Events of a stack (reference/around.md#events).

mod args;
mod line;
mod printer;
mod run;

pub use args::EventsArgs;
pub use line::Line;
pub use printer::{EventPrinter, is_failure};
pub use run::run;
