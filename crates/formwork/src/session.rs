//! The files and options that several analyses share.

use std::cell::Cell;
use std::rc::Rc;

use formwork_base::{FileBytes, Host, ReadError, VirtualPath};
use formwork_syntax::FileCache;

use crate::indexes::Indexes;
use crate::options::Options;

/// Templates of a host, and everything that was read and parsed of them: each file once, whoever names it and
/// however often the templates are analyzed. A clone is the same session.
#[derive(Clone)]
pub struct Session<'h> {
    shared: Rc<Shared<'h>>,
    options: Rc<Options>,
}

struct Shared<'h> {
    host: Box<dyn Host + 'h>,
    cache: FileCache,
    analyses: Cell<usize>,
    indexes: Indexes,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("analyses", &self.analyses()).finish_non_exhaustive()
    }
}

impl<'h> Session<'h> {
    /// A session that reads through `host`.
    pub fn new(host: impl Host + 'h, options: Options) -> Session<'h> {
        let shared = Shared {
            host: Box::new(host),
            cache: FileCache::new(),
            analyses: Cell::new(0),
            indexes: Indexes::default(),
        };
        Session { shared: Rc::new(shared), options: Rc::new(options) }
    }

    /// The same session with other options: its files are shared.
    #[must_use]
    pub fn with_options(&self, options: Options) -> Session<'h> {
        Session { shared: Rc::clone(&self.shared), options: Rc::new(options) }
    }

    /// What templates are compiled with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where it reads.
    pub fn host(&self) -> &(dyn Host + 'h) {
        &*self.shared.host
    }

    pub(crate) fn cache(&self) -> &FileCache {
        &self.shared.cache
    }

    pub(crate) fn indexes(&self) -> &Indexes {
        &self.shared.indexes
    }

    /// Replaces the content of a file by what is not on its host, such as the text in an editor or of
    /// standard input. The next analysis sees it; other files are neither read nor parsed again.
    pub fn set_file(&self, path: &VirtualPath, bytes: impl Into<FileBytes>) {
        self.cache().set(path.clone(), bytes.into());
    }

    /// Reads a file of the host again when it is next asked for: it changed there, or the content that was set
    /// is cancelled.
    pub fn reload_file(&self, path: &VirtualPath) {
        self.cache().forget(path);
    }

    /// The content of a file.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.cache().read(self.host(), path)
    }

    pub(crate) fn count_analysis(&self) {
        self.shared.analyses.set(self.shared.analyses.get() + 1);
    }

    /// How many analyses were compiled for any goal, those of nested templates included.
    pub fn analyses(&self) -> usize {
        self.shared.analyses.get()
    }

    /// How often the host was asked for a file.
    pub fn reads(&self) -> usize {
        self.cache().reads()
    }

    /// How often the text of a file was parsed.
    pub fn parses(&self) -> usize {
        self.cache().parses()
    }
}
