//! Events of a stack (reference/around.md#events).

mod choices;
mod history;
mod line;
mod printer;

pub use choices::EventsChoices;
pub use history::run;
pub use line::Line;
pub use printer::{EventPrinter, is_failure};
