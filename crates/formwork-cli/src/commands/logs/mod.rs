//! `formwork logs` (reference/around.md#logs).

mod run;

pub(crate) use run::run;
