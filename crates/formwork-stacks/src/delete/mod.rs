//! Deletions of stacks (reference/deploy.md#delete).

mod args;
pub mod ending;
pub mod observer;
pub mod plan;
mod run;
pub mod summary;

pub use args::{DeleteArgs, DeletionMode};
pub use run::run;
