//! `formwork logs` (reference/around.md#logs).

mod chosen;
mod printer;
mod run;

pub(crate) use run::run;
