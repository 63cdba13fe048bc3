//! Watches the files of a project (reference/local.md#start-api).

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use formwork_run::watch::{Directory, Interest, WatchError, Watcher, real_path};
use tokio::sync::{mpsc, oneshot};

use crate::function::{CodeSource, Function};

/// Interval between two checks for a missing directory, such as one that a build replaces.
const MISSING: Duration = Duration::from_millis(500);

/// Returns the code and layers of functions, and the files of their templates.
pub(crate) fn interest(functions: &[Arc<Function>], templates: &[PathBuf]) -> Interest {
    let mut interest =
        Interest { files: templates.iter().map(|path| real_path(path)).collect(), ..Interest::default() };
    let sources = functions.iter().flat_map(|function| {
        let layers = function.layers.iter().map(|layer| &layer.source);
        std::iter::once(&function.code).chain(layers)
    });
    let paths = sources.filter_map(|source| match source {
        CodeSource::Path(path) => Some(real_path(path)),
        _ => None,
    });
    for path in paths.collect::<BTreeSet<_>>() {
        if path.is_file() {
            interest.files.insert(path);
        } else if let Ok(directory) = Directory::new(path, Vec::new()) {
            interest.directories.push(directory);
        }
    }
    interest
}

/// Reports changes until it is dropped. The system is queried on a separate thread.
#[derive(Debug)]
pub(crate) struct Changes {
    shared: Arc<Shared>,
    changed: mpsc::Receiver<()>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The next set of watched files, until the thread takes it over.
    next: Mutex<Option<Interest>>,
    is_over: AtomicBool,
}

impl Shared {
    fn next(&self) -> std::sync::MutexGuard<'_, Option<Interest>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Changes {
    pub(crate) async fn of(interest: Interest) -> Result<Changes, WatchError> {
        let (sender, changed) = mpsc::channel(1);
        let (started, starts) = oneshot::channel();
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = std::thread::Builder::new().spawn(move || {
            let watching = Watcher::new().and_then(|mut watcher| {
                watcher.watch(interest.clone())?;
                Ok(watcher)
            });
            match watching {
                Ok(watcher) => {
                    let _ = started.send(None);
                    watch(watcher, interest, &own, &sender);
                }
                Err(error) => {
                    let _ = started.send(Some(error));
                }
            }
        });
        thread.map_err(WatchError::system)?;
        match starts.await {
            Ok(Some(error)) => Err(error),
            _ => Ok(Changes { shared, changed }),
        }
    }

    pub(crate) fn watch(&self, interest: Interest) {
        *self.shared.next() = Some(interest);
    }

    pub(crate) async fn next(&mut self) {
        if self.changed.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Changes {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
    }
}

/// Waits for changes and reports them. The receiver compares the files itself, so a superfluous report is harmless.
fn watch(mut watcher: Watcher, mut interest: Interest, shared: &Shared, changed: &mpsc::Sender<()>) {
    let misses = |interest: &Interest| interest.directories.iter().any(|directory| !directory.path.is_dir());
    // Changes from before the watch began.
    let _ = changed.try_send(());
    let mut is_missing = true;
    loop {
        let begin = Instant::now();
        let is_over = || shared.is_over.load(Ordering::Relaxed);
        watcher.wait(&|| is_over() || shared.next().is_some() || is_missing && begin.elapsed() > MISSING);
        if is_over() {
            return;
        }
        if let Some(next) = shared.next().take() {
            interest = next;
        }
        // A replaced directory is another one, which is not watched yet. On an error the current watch stays.
        let was_missing = misses(&interest);
        let _ = watcher.watch(interest.clone());
        // A directory that comes or goes meanwhile is checked for once more.
        is_missing = was_missing || misses(&interest);
        // One unread message is enough.
        let _ = changed.try_send(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Layer;

    #[test]
    fn code_layers_and_templates_wake() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a real path");
        std::fs::create_dir_all(root.join("src")).expect("a directory");
        std::fs::write(root.join("layer.zip"), "x").expect("a file");
        let function = Function {
            id: "F".into(),
            name: None,
            runtime: None,
            handler: None,
            code: CodeSource::Path(root.join("src/../src")),
            layers: vec![Layer { name: "L".into(), source: CodeSource::Path(root.join("layer.zip")) }],
            memory: 128,
            timeout: 3,
            variables: Vec::new(),
            is_durable: false,
            place: None,
        };
        let interest = interest(&[Arc::new(function)], &[root.join("template.yaml")]);
        for path in ["src/app.py", "src/a/b.py", "layer.zip", "template.yaml"] {
            assert!(interest.wakes(&root.join(path)), "{path}");
        }
        for path in ["README.md", "src/__pycache__/app.pyc", "src/.app.py.swp"] {
            assert!(!interest.wakes(&root.join(path)), "{path}");
        }
    }

    #[tokio::test]
    async fn a_directory_that_is_replaced_is_still_watched() {
        let temporary = tempfile::tempdir().expect("a directory");
        let root = temporary.path().canonicalize().expect("a real path");
        let source = root.join("src");
        std::fs::create_dir(&source).expect("a directory");
        let directory = Directory::new(source.clone(), Vec::new()).expect("patterns");
        let interest = Interest { directories: vec![directory], ..Interest::default() };
        let mut changes = Changes::of(interest).await.expect("it watches");
        within(changes.next()).await;
        std::fs::rename(&source, root.join("old")).expect("a rename");
        within(changes.next()).await;
        std::fs::create_dir(&source).expect("a directory");
        std::fs::write(source.join("app.py"), "1").expect("a file");
        within(changes.next()).await;
        tokio::time::sleep(MISSING * 2).await;
        while changes.changed.try_recv().is_ok() {}
        std::fs::write(source.join("app.py"), "2").expect("a file");
        within(changes.next()).await;
    }

    async fn within(change: impl Future<Output = ()>) {
        tokio::time::timeout(Duration::from_secs(10), change).await.expect("a change");
    }
}
