//! `formwork refactor` (reference/refactor.md).

mod choices;
mod run;

pub(crate) use run::run;
