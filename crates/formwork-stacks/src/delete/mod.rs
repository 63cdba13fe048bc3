//! Deletions of stacks (reference/deploy.md#delete).

pub mod ending;
pub mod observer;
pub mod plan;
pub mod summary;
