//! Checks of templates (reference/command-line.md#checks).
//!
//! [`fn@run`] checks many templates on all processors: it finds them, applies fixes when that was asked for, judges
//! what others import as modules, asks other tools about the expansion ([`other_tools`]), and reports everything once.
//! `watch` does it again after each change. What the command line chooses is in [`CheckArgs`].
//!
//! Read `run` first. What a template imports is judged as a module: a file is compiled again where the run shows that
//! it is one (`module_order` finds out before which templates of the run others import). No template shows in the
//! result of another one: fixes of all templates are written (`fixes`) before the first one is checked, and results are
//! printed in the order of the templates.
#![allow(clippy::disallowed_methods, reason = "files are written and programs started here")]

mod args;
mod fixes;
mod module_order;
pub mod other_tools;
mod run;
#[cfg(feature = "watch")]
mod watch;

pub use args::{COMPARISON, CheckArgs, SelectionArgs, tool_of_code};
pub use run::{Read, once, run};
#[cfg(feature = "watch")]
pub use watch::watch;
