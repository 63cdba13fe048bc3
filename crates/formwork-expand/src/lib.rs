//! The stages that bring a template together and unroll its loops.
//!
//! [`include`] puts local `AWS::Include` files in their place; [`for_each`] unrolls `Fn::ForEach`.
//! Loop bodies are never copied: an iteration writes new nodes only on the way to what depends on
//! its variable and shares the rest.

pub mod for_each;
pub mod include;

pub use for_each::replay::Replay;
pub use for_each::{Expanded, expand};
