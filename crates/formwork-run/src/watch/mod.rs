//! Watching the files of a project (reference/sync.md#watching).
//!
//! [`Interest`] decides for each path whether it wakes a watch; [`Quiet`] decides when a series of changes is over.
//! Neither uses a disk or a clock. [`Watcher`] asks the system to report changes, and waits for them. `check --watch`,
//! `sync` and the servers of `local` use it.

mod interest;
mod names;
mod quiet;
mod real;
mod watcher;

pub use interest::{Directory, Interest, InvalidPattern};
pub use quiet::Quiet;
pub use real::real_path;
pub use watcher::{WatchError, Watcher};
