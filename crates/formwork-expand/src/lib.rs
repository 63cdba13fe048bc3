//! The stages that inline other files and expand loops, so that the evaluator sees an ordinary template.
//!
//! The input is a parsed tree and an [`Evaluator`](formwork_evaluate::Evaluator) for values that have to be known; the
//! output is a tree that shares subtrees: an iteration of a loop adds new nodes only above nodes that depend on its
//! variable.
//!
//! 1. [`mod@include`] inlines local `AWS::Include` files.
//! 2. [`modules`] inlines modules, with everything else of the module language.
//! 3. [`fn@merge_mappings`] merges the operands of `Fn::Merge` in `Mappings`.
//! 4. [`loops`] expands `Fn::ForEach` and `Fn::Map` and joins the operands of `Fn::Merge`.
//!
//! [`modules`] and [`loops`] each have a page. The merging of known operands is in `merge`, for loops, modules,
//! overrides and `Mappings`. Shared subtrees are written wherever they are used: [`budget`] counts them before the next
//! stage walks the tree.
//!
//! Substitution and evaluation are two steps: first the items of a loop are inserted, then the evaluator sees a
//! template without loops. [`Replay`] repeats the expansion of one node, for queries about its origin.

pub mod budget;
mod copy_names;
pub mod include;
pub mod loops;
mod merge;
mod merge_mappings;
pub mod modules;
mod white_space;

pub use copy_names::names_copies;
pub use loops::replay::Replay;
pub use loops::{Expanded, UnknownItem, expand};
pub use merge_mappings::merge_mappings;
pub use white_space::is_within_white_space;
