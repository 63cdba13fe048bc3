//! The options of a build, and the events that report its progress.

use std::sync::atomic::AtomicBool;

use formwork::Format;

use crate::job::Job;
use crate::tools::SearchPath;

/// How a build is run.
pub struct BuildOptions<'r> {
    /// Whether artifacts whose sources did not change are kept.
    pub is_cached: bool,
    /// How many sources are built in parallel.
    pub jobs: usize,
    /// The format of the built template; by default its own.
    pub format: Option<Format>,
    /// Where tools are looked for.
    pub path: SearchPath,
    /// Set when the run is to end.
    pub interrupt: &'r AtomicBool,
    /// Receives the events of the build.
    pub observer: &'r (dyn Fn(Event<'_>) + Sync),
}

/// What happens in a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Another run is in the build directory, and this one waits for its end.
    Waiting,
    /// A source is being built.
    Started(&'e Job),
    /// A source was built.
    Finished(&'e Job),
    /// A source was not built.
    Failed(&'e Job),
}
