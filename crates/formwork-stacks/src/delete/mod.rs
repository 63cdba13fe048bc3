//! Deletions of stacks (reference/deploy.md#delete).

mod choices;
pub mod ending;
pub mod observer;
pub mod plan;
mod deletion;
pub mod summary;

pub use choices::DeleteChoices;
pub use deletion::run;
