//! The known facts about a resource type (reference/schemas.md#command).

pub mod json;
mod marks;
pub mod tree;
