//! Checks of templates (reference/command-line.md#checks).
//!
//! [`run`] checks many templates on all processors: it finds them, applies fixes when that was asked for, judges what others
//! import as modules, asks other tools about the expansion ([`other_tools`]), and reports everything once. `watch` does it
//! again after each change. What the words of a command line choose is in [`CheckChoices`], plain data.
#![allow(clippy::disallowed_methods, reason = "files are written and programs started here")]

mod choices;
mod fixes;
mod module_order;
pub mod other_tools;
mod run;
#[cfg(feature = "watch")]
mod watch;

pub use choices::CheckChoices;
pub use run::{Read, once, run};
#[cfg(feature = "watch")]
pub use watch::watch;
