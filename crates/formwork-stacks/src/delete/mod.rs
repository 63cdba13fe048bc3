//! Deletions of stacks (reference/deploy.md#delete).

mod args;
mod deletion;
pub mod ending;
pub mod observer;
pub mod plan;
pub mod summary;

pub use args::{DeleteArgs, DeletionMode};
pub use deletion::run;
