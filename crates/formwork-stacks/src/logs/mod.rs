//! Logs of the resources of a stack (reference/around.md#logs).

pub mod chosen;
mod printer;

pub use printer::LogPrinter;
