//! The hosts that read the files of templates.

use std::path::Path;
use std::sync::Arc;

use formwork::{DiskHost, Host, Limits, MemoryHost};

/// Creates the host of templates in a directory, which reads nothing outside of a root.
type Make = dyn Fn(&Path, &Path) -> Option<Arc<dyn Host>> + Send + Sync;

/// The source of files for templates: the disk, or hosts of an embedding program. These must not use a network.
#[derive(Clone, Default)]
pub struct Hosts(Option<Arc<Make>>);

impl std::fmt::Debug for Hosts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Hosts(own)" } else { "Hosts(disk)" })
    }
}

impl Hosts {
    /// Creates hosts by `make`, which receives a directory and the root outside of which nothing is read, and returns
    /// `None` for the disk.
    pub fn new(make: impl Fn(&Path, &Path) -> Option<Arc<dyn Host>> + Send + Sync + 'static) -> Hosts {
        Hosts(Some(Arc::new(make)))
    }

    /// The host of templates in `folder`. It has no files if `folder` does not exist, as for a document that was never
    /// saved.
    pub(crate) fn host(&self, folder: &Path, root: &Path) -> Arc<dyn Host> {
        if let Some(host) = self.0.as_ref().and_then(|make| make(folder, root)) {
            return host;
        }
        match DiskHost::new(folder, Some(root), Limits::default().file_bytes) {
            Ok(host) => Arc::new(host),
            Err(_) => Arc::new(MemoryHost::new()),
        }
    }
}
