//! What a change of a template does to a stack: both sides compiled, compared, and their places filled in
//! (reference/plan.md).
//!
//! [`formwork_plan`] compares plain data and knows no trees; here is what leads to that data and back to authors'
//! files. `side` reads the output of a `Compilation`, `facts` is the table of resource types as a plan needs it,
//! `locate` fills in places and reasons (what no stage touched has its span, everything else is asked of one provenance
//! session), `worlds` evaluates again what values that nobody passed decide, `stacks` plans nested stacks, `findings` makes diagnostics. The program reads the sides:
//! `formwork_run::git` is a `Host` over `git cat-file`, `formwork_run::recorded_stack` a stack that was recorded.

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

/// The whole output of a compilation as plain data: what `CreateStackRefactor` receives, with its references renamed. A
/// `Default` of a `NoEcho` parameter is in it as in every output: the parameters of a stack must not change.
pub fn output(compilation: &Compilation) -> Value<'_> {
    side::unmasked(compilation, compilation.root)
}

/// The output of a compilation as plain data, section by section.
pub(crate) fn side_of(compilation: &Compilation) -> Side<'_> {
    side::read(compilation)
}
