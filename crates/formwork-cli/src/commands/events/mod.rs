//! `formwork events` (reference/around.md#events).

mod line;
mod printer;
mod run;

pub(crate) use run::run;
