//! Logs of the resources of a stack (reference/around.md#logs).

mod choices;
pub mod chosen;
mod printer;
mod retrieval;

pub use choices::LogsChoices;
pub use printer::LogPrinter;
pub use retrieval::run;
