//! Diagnoses failed stacks (reference/around.md#diagnose).

pub mod advice;
mod args;
pub mod cause;
pub mod object;
mod run;

pub use args::DiagnoseArgs;
pub use run::run;
