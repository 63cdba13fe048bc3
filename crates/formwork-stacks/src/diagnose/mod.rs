//! Diagnoses failed stacks (reference/around.md#diagnose).

pub mod advice;
mod args;
pub mod cause;
pub mod object;
mod report;

pub use args::DiagnoseArgs;
pub use report::run;
