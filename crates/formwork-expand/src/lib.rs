//! The stages that inline other files and expand loops, so that the evaluator sees an ordinary template.
//!
//! In go a tree as it was read and an [`Evaluator`](formwork_evaluate::Evaluator) for values that have to be known; out
//! comes a tree in which shared subtrees are shared: an iteration of a loop writes new nodes only on the way to what
//! depends on its variable.
//!
//! 1. [`mod@include`] inlines local `AWS::Include` files.
//! 2. [`modules`] inlines modules, with everything else of the module language.
//! 3. [`fn@merge_mappings`] merges what `Mappings` are made of with `Fn::Merge`.
//! 4. [`loops`] expands `Fn::ForEach` and `Fn::Map` and joins what `Fn::Merge` names.
//!
//! [`modules`] and [`loops`] each have a page. The merging of known operands is in `merge`, for loops, modules,
//! overrides and `Mappings`. Shared subtrees are written wherever they are used: [`budget`] counts them before the next
//! stage walks the tree.
//!
//! Substitution and evaluation are two steps: first the items of a loop are inserted, then the evaluator sees a
//! template without loops. [`Replay`] repeats what the loops did to one node, for questions about where it came from.

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
pub use loops::{Expanded, expand};
pub use merge_mappings::merge_mappings;
pub use white_space::is_within_white_space;
