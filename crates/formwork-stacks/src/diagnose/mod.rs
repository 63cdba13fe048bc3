//! Diagnoses failed stacks (reference/around.md#diagnose).

pub mod advice;
pub mod cause;
mod choices;
pub mod object;
mod report;

pub use choices::DiagnoseChoices;
pub use report::run;
