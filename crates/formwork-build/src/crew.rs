//! Builds a source, on any thread.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use formwork_disk::{make_below, refuse_links, remove_below};
use formwork_upload::SourceTree;

use crate::build_error::BuildError;
use crate::builders::Build;
use crate::command::Runner;
use crate::job::Job;
use crate::modes;
use crate::options::{BuildOptions, Event};
use crate::shared::Shared;
use crate::state::OWN;
use crate::watcher::Watcher;
use crate::written::Stamps;

#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) tree: Option<SourceTree>,
    /// Patterns of files that were excluded.
    pub(crate) excluded: Vec<String>,
    pub(crate) key: String,
}

/// Returns the path of the artifact of a job until all are built. Sources with the same content have the same key, and
/// separate artifacts.
pub(crate) fn ready(directory: &Path, job: &Job, key: &str) -> PathBuf {
    directory.join(OWN).join("ready").join(format!("{}.{key}", job.product.replace('/', ".")))
}

pub(crate) struct Crew<'c> {
    pub(crate) options: &'c BuildOptions<'c>,
    pub(crate) directory: &'c Path,
    pub(crate) watcher: &'c Watcher,
    pub(crate) shared: Shared,
}

impl Crew<'_> {
    /// Builds a source, unless an unfinished earlier run has built it. `scratch` is a directory for this source only.
    pub(crate) fn build(&self, job: &Job, prepared: &Prepared, scratch: &Path) -> Result<(), BuildError> {
        let Some(tree) = &prepared.tree else { return Ok(()) };
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Err(BuildError::Interrupted);
        }
        if self.options.is_cached && ready(self.directory, job, &prepared.key).is_dir() {
            return Ok(());
        }
        (self.options.observer)(Event::Started(job));
        let built = self.build_tree(job, tree, &prepared.key, scratch);
        (self.options.observer)(if built.is_ok() { Event::Finished(job) } else { Event::Failed(job) });
        built
    }

    fn build_tree(&self, job: &Job, tree: &SourceTree, key: &str, scratch: &Path) -> Result<(), BuildError> {
        let make = |path: &Path| fs::create_dir_all(path).map_err(BuildError::file(path));
        let log = log(self.directory, job);
        remove_below(self.directory, &log).map_err(BuildError::file(&log))?;
        let (product, work) = (scratch.join("product"), scratch.join("work"));
        let artifacts = if job.subfolder().is_empty() { product.clone() } else { product.join(job.subfolder()) };
        make(artifacts.parent().unwrap_or(scratch))?;
        make(&work)?;
        let cache = self.directory.join(OWN).join("cache").join(job.builder_name());
        refuse_links(self.directory, &cache).map_err(BuildError::file(&cache))?;
        let runner = Runner { log, interrupt: self.options.interrupt, watcher: self.watcher };
        let (scratch, path) = (work.as_path(), &self.options.path);
        let (runner, shared) = (&runner, &self.shared);
        let build = Build { job, tree, scratch, artifacts: &artifacts, cache: &cache, runner, path, shared };
        // A build that fails is included: it is tried again after the next change.
        let before = Stamps::of(job.written_directories());
        let built = job.recipe.builder.build(&build);
        self.shared.note_written(before.written_since());
        built?;
        make(&product)?;
        modes::settle(&product).map_err(BuildError::file(&product))?;
        let ready = ready(self.directory, job, key);
        make_below(self.directory, ready.parent().unwrap_or(self.directory)).map_err(BuildError::file(&ready))?;
        remove_below(self.directory, &ready).map_err(BuildError::file(&ready))?;
        fs::rename(&product, &ready).map_err(BuildError::file(&ready))
    }
}

pub(crate) fn log(directory: &Path, job: &Job) -> PathBuf {
    directory.join(OWN).join("logs").join(format!("{}.log", job.product.replace('/', ".")))
}
