//! Logs of the resources of a stack (reference/around.md#logs).

mod args;
pub mod chosen;
mod printer;
mod retrieval;

pub use args::LogsArgs;
pub use printer::LogPrinter;
pub use retrieval::run;
