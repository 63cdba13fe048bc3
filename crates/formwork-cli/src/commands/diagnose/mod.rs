//! `formwork diagnose` (reference/around.md#diagnose).

mod run;

pub(crate) use run::run;
