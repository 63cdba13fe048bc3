//! The effects of a template change on a stack: both sides are compiled and compared, and the places of the changes are
//! filled in (reference/plan.md).
//!
//! [`formwork_plan`] compares plain data and knows no trees; this module converts to that data and back to authors'
//! files. `side` reads the output of a `Compilation`, `facts` is the table of resource types for a plan, `locate` fills
//! in places and reasons (a node that no stage changed has its span, all others are looked up in one provenance
//! session), `worlds` evaluates again the entries that depend on values nobody passed, `stacks` plans nested stacks,
//! and `findings` creates diagnostics. The program reads the sides: `formwork_run::git` is a `Host` over `git
//! cat-file`, `formwork_run::recorded_stack` a stack that was recorded.

mod arguments;
mod collections;
mod compiled;
mod facts;
mod findings;
mod globals;
mod locate;
mod side;
mod sides;
mod stacks;
mod worlds;

pub use formwork_plan::*;

use crate::compilation::Compilation;

pub use arguments::{changed_arguments, used_defaults};
pub use compiled::Compiled;
pub use facts::KnownTypes;
pub use findings::{Findings, findings};
pub use sides::Sides;
pub use worlds::Worlds;

/// Returns the whole output of a compilation as plain data, as `CreateStackRefactor` receives it with renamed
/// references. A `Default` of a `NoEcho` parameter is in it as in every output: the parameters of a stack must not
/// change.
pub fn output(compilation: &Compilation) -> Value<'_> {
    side::unmasked(compilation, compilation.root)
}

pub(crate) fn side_of(compilation: &Compilation) -> Side<'_> {
    side::read(compilation)
}
