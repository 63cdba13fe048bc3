//! The stages that bring a template together and unroll its loops.
//!
//! [`mod@include`] puts local `AWS::Include` files in their place; [`modules`] opens local modules;
//! [`loops`] unrolls `Fn::ForEach` and
//! `Fn::Map` and joins what `Fn::Merge` names.
//! Loop bodies are never copied: an iteration writes new nodes only on the way to what depends on
//! its variable and shares the rest.

pub mod budget;
mod copy_names;
pub mod include;
pub mod loops;
mod merge;
mod merge_mappings;
pub mod modules;

pub use copy_names::names_copies;
pub use loops::replay::Replay;
pub use loops::{Expanded, expand};
pub use merge_mappings::merge_mappings;
