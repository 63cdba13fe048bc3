//! `formwork diagnose` (reference/around.md#diagnose).

mod advice;
mod cause;
mod object;
mod run;

pub(crate) use run::run;
