//! Watching the files of a project (reference/sync.md#watching).
//!
//! [`Interest`] says what wakes a watch and decides it for each path; [`Quiet`] says when a row of changes is over. Both
//! know no disk and no clock. [`Watcher`] asks the system to tell of changes, and waits for them.
#![allow(clippy::disallowed_methods, reason = "disks and the clock enter here")]

mod interest;
mod names;
mod quiet;
mod real;
mod watcher;

pub use interest::{Directory, Interest};
pub use quiet::Quiet;
pub use real::real_path;
pub use watcher::{WatchError, Watcher};
