//! Installs packages that several sources of a run share once, and copies them (reference/build.md#once).

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::build_error::BuildError;
use crate::command::Runner;

/// The shared installations, by their keys.
#[derive(Debug, Default)]
pub(crate) struct Installations {
    directory: PathBuf,
    installations: HashMap<String, Mutex<Installation>>,
}

#[derive(Debug)]
struct Installation {
    directory: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    Missing,
    /// Installed, with the path of the log.
    Done(PathBuf),
    /// A tool failed: it would fail again.
    Failed {
        tool: String,
        status: String,
        tail: Vec<String>,
    },
}

impl Installations {
    /// Shares the installations whose keys occur more than once. `directory` is a directory for them alone.
    pub(crate) fn new(directory: PathBuf, keys: impl IntoIterator<Item = String>) -> Installations {
        let mut once = HashSet::new();
        let mut installations = HashMap::new();
        for key in keys {
            if !once.insert(key.clone()) && !installations.contains_key(&key) {
                let directory = directory.join(installations.len().to_string());
                installations.insert(key, Mutex::new(Installation { directory, state: State::Missing }));
            }
        }
        Installations { directory, installations }
    }

    /// Installs packages into the directory `target`: with `install`, or as a copy of an installation for another
    /// source.
    pub(crate) fn install(
        &self,
        key: Option<&String>,
        target: &Path,
        runner: &Runner<'_>,
        install: &dyn Fn(&Path) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let Some(installation) = key.and_then(|key| self.installations.get(key)) else { return install(target) };
        // The other threads wait: they need nothing else.
        let mut installation = installation.lock().unwrap_or_else(PoisonError::into_inner);
        match &installation.state {
            State::Done(log) => runner.note(&format!("# a copy of the packages that {} installed", log.display())),
            State::Failed { tool, status, tail } => {
                return Err(BuildError::Failed { tool: tool.clone(), status: status.clone(), tail: tail.clone() });
            }
            State::Missing => {
                fs::create_dir_all(&self.directory).map_err(BuildError::file(&self.directory))?;
                let installed = install(&installation.directory);
                if let Err(BuildError::Failed { tool, status, tail }) = &installed {
                    installation.state =
                        State::Failed { tool: tool.clone(), status: status.clone(), tail: tail.clone() };
                }
                installed?;
                installation.state = State::Done(runner.log.clone());
            }
        }
        let from = installation.directory.clone();
        drop(installation);
        copy(&from, target).map_err(BuildError::file(target))
    }
}

/// Copies a directory, if it exists, with its links and modes. The target is created.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    let mut left = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = left.pop() {
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
            if kind.is_dir() {
                left.push((entry.path(), target));
            } else if kind.is_symlink() {
                copy_link(&entry.path(), &target)?;
            } else {
                fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

#[cfg(not(unix))]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::watcher::Watcher;

    #[test]
    fn equal_packages_are_installed_once_and_a_failure_is_not_repeated() {
        let base = tempfile::tempdir().expect("a directory");
        let (interrupt, watcher) = (AtomicBool::new(false), Watcher::default());
        let runner = Runner { log: base.path().join("log"), interrupt: &interrupt, watcher: &watcher };
        let keys = ["a", "b", "a", "c", "c", "a"].map(str::to_owned);
        let shared = Installations::new(base.path().join("shared"), keys);
        let count = std::cell::Cell::new(0);
        let install = |key: &str, target: &str, fails: bool| {
            let key = key.to_owned();
            shared.install(Some(&key), &base.path().join(target), &runner, &|directory| {
                count.set(count.get() + 1);
                if fails {
                    let (tool, status) = ("pip".to_owned(), "exited".to_owned());
                    return Err(BuildError::Failed { tool, status, tail: Vec::new() });
                }
                fs::create_dir_all(directory.join("bin")).expect("a directory");
                fs::write(directory.join("bin/x"), "1").expect("written");
                Ok(())
            })
        };
        for target in ["1", "2", "3"] {
            install("a", target, false).expect("installed");
            assert_eq!(fs::read_to_string(base.path().join(target).join("bin/x")).expect("copied"), "1");
        }
        assert_eq!(count.get(), 1);
        install("b", "4", false).expect("installed");
        assert!(install("c", "5", true).is_err() && install("c", "6", false).is_err());
        assert_eq!(count.get(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn copies_keep_links_and_modes() {
        use std::os::unix::fs::PermissionsExt;
        let base = tempfile::tempdir().expect("a directory");
        let (from, to) = (base.path().join("from"), base.path().join("to"));
        fs::create_dir_all(from.join("a/b")).expect("a directory");
        fs::write(from.join("a/b/run"), "1").expect("written");
        fs::set_permissions(from.join("a/b/run"), fs::Permissions::from_mode(0o755)).expect("a mode");
        std::os::unix::fs::symlink("a/b/run", from.join("link")).expect("a link");
        copy(&from, &to).expect("copied");
        assert_eq!(fs::read_link(to.join("link")).expect("a link"), Path::new("a/b/run"));
        assert_eq!(to.join("a/b/run").metadata().expect("it exists").permissions().mode() & 0o777, 0o755);
        copy(&base.path().join("missing"), &base.path().join("none")).expect("nothing to copy");
        assert!(!base.path().join("none").exists());
    }
}
