//! Events of a stack (reference/around.md#events).

mod args;
mod history;
mod line;
mod printer;

pub use args::EventsArgs;
pub use history::run;
pub use line::Line;
pub use printer::{EventPrinter, is_failure};
