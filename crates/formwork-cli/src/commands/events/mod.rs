//! `formwork events` (reference/around.md#events).

mod run;

pub(crate) use run::run;
