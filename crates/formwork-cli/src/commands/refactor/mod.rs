//! `formwork refactor` (reference/refactor.md).

mod actions;
mod choices;
mod execution;
mod files;
mod items;
mod mappings;
mod refusals;
mod run;
mod stack;
mod summary;
mod table;

pub(crate) use run::run;
