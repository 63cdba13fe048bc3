//! Events of a stack (reference/around.md#events).

mod choices;
mod line;
mod printer;
mod history;

pub use choices::EventsChoices;
pub use line::Line;
pub use printer::{EventPrinter, is_failure};
pub use history::run;
