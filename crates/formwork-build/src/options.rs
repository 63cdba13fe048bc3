//! The options of a build, and the events that report its progress.

use std::sync::atomic::AtomicBool;

use formwork::Format;

use crate::job::Job;
use crate::tools::SearchPath;

/// The options of a build.
pub struct BuildOptions<'r> {
    /// Set when artifacts whose sources did not change are kept.
    pub is_cached: bool,
    /// Number of sources that are built in parallel.
    pub jobs: usize,
    /// The format of the built template; by default that of the authored one.
    pub format: Option<Format>,
    /// The directories in which tools are searched.
    pub path: SearchPath,
    /// Set when the run is to end.
    pub interrupt: &'r AtomicBool,
    /// Receives the events of the build.
    pub observer: &'r (dyn Fn(Event<'_>) + Sync),
}

/// A step of the run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Another run uses the build directory, and this one waits for its end.
    Waiting,
    /// This many sources are to be built.
    Planned(usize),
    /// A source is being built.
    Started(&'e Job),
    /// A source was built.
    Finished(&'e Job),
    /// A source was not built.
    Failed(&'e Job),
}
