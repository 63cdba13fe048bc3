//! Deletions of stacks (reference/deploy.md#delete).

mod choices;
mod deletion;
pub mod ending;
pub mod observer;
pub mod plan;
pub mod summary;

pub use choices::DeleteChoices;
pub use deletion::run;
