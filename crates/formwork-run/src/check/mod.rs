//! Checks of templates (reference/command-line.md#checks).
//!
//! [`fn@run`] checks many templates on all processors: it finds them, applies fixes if requested, checks imported
//! templates as modules, runs other tools on the expansion ([`other_tools`]), and prints one report. `watch` repeats it
//! after each change. [`CheckArgs`] has the options.
//!
//! Start with `run`. An imported template is checked as a module: a file is compiled again when the run shows that it
//! is one (`module_order` finds the imported templates of the run in advance). Templates do not influence each other's
//! results: the fixes of all templates are written (`fixes`) before the first one is checked, and results are printed
//! in the order of the templates.

mod args;
mod baseline;
mod baseline_args;
mod batch;
mod fixes;
mod links;
mod module_order;
pub mod other_tools;
#[cfg(feature = "watch")]
mod watch;

pub use args::{COMPARISON, CheckArgs, SelectionArgs, tool_of_code};
pub use baseline_args::BaselineArgs;
pub use batch::{Read, once, run};
pub(crate) use module_order::modules_of;
#[cfg(feature = "watch")]
pub use watch::watch;
