//! Events of a stack (reference/around.md#events).

mod line;
mod printer;

pub use line::Line;
pub use printer::{EventPrinter, is_failure};
