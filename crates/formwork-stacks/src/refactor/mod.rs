//! The steps of a refactor of stacks (reference/refactor.md).

mod actions;
mod args;
pub mod execution;
pub mod files;
mod items;
pub mod mappings;
mod refactoring;
pub mod refusals;
pub mod stack;
mod summary;
pub mod table;
mod wanted;

pub use args::RefactorArgs;
pub use items::Items;
pub use refactoring::run;
pub use stack::RefactoredStack;
pub use summary::Summary;
pub use table::Row;
