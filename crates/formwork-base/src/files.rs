//! The files that one run reads, within one budget.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::{FileBytes, Host, Limits, ReadError, VirtualPath};

/// Reads the files that a template names: modules, includes, inserted files, archives, local and remote.
/// Each is read once a run, and their number and bytes are limited together.
pub struct Files<'h> {
    host: &'h dyn Host,
    limits: Limits,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    local: HashMap<VirtualPath, Result<FileBytes, ReadError>>,
    remote: HashMap<String, Result<FileBytes, ReadError>>,
    count: usize,
    bytes: u64,
}

impl<'h> Files<'h> {
    /// The files of a host, none of them read yet.
    pub fn new(host: &'h dyn Host, limits: &Limits) -> Files<'h> {
        Files { host, limits: *limits, state: RefCell::default() }
    }

    /// Returns the bytes of the file at `path`, which is relative to the directory of the root template.
    ///
    /// # Errors
    /// Those of the host, and [`ReadError::Limit`] when the budget of the run is spent.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.state.borrow().local.get(path) {
            return known.clone();
        }
        let read = self.charged(|| self.host.read(path));
        self.state.borrow_mut().local.insert(path.clone(), read.clone());
        read
    }

    /// Returns the bytes at a remote address.
    ///
    /// # Errors
    /// Those of [`Files::read`].
    pub fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        if let Some(known) = self.state.borrow().remote.get(address) {
            return known.clone();
        }
        let read = self.charged(|| self.host.read_remote(address));
        self.state.borrow_mut().remote.insert(address.to_owned(), read.clone());
        read
    }

    /// Whether the project pins what is at a remote address.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.host.is_pinned(address)
    }

    /// Reads a file if the number of files allows it, and counts its bytes.
    fn charged(&self, read: impl FnOnce() -> Result<FileBytes, ReadError>) -> Result<FileBytes, ReadError> {
        if self.state.borrow().count >= self.limits.files {
            return Err(ReadError::Limit(format!(
                "more than {} files are read: a limit is exceeded",
                self.limits.files
            )));
        }
        let bytes = read();
        let mut state = self.state.borrow_mut();
        state.count += 1;
        let bytes = bytes?;
        state.bytes += bytes.len() as u64;
        if state.bytes > self.limits.read_bytes {
            return Err(ReadError::Limit(format!(
                "the files that are read have more than {} bytes together: a limit is exceeded",
                self.limits.read_bytes
            )));
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    struct Counting(Cell<u32>);

    impl Host for Counting {
        fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
            self.0.set(self.0.get() + 1);
            if path.as_str() == "missing" { Err(ReadError::NotFound) } else { Ok(vec![0; 10].into()) }
        }
    }

    #[test]
    fn a_file_is_read_once() {
        let host = Counting(Cell::default());
        let files = Files::new(&host, &Limits::default());
        for path in ["a", "missing", "a", "missing"] {
            assert_eq!(files.read(&VirtualPath::new(path)).is_ok(), path == "a");
        }
        assert_eq!(host.0.get(), 2);
    }

    #[test]
    fn number_and_bytes_of_all_files_are_limited() {
        let read = |limits: Limits| {
            let host = Counting(Cell::default());
            let files = Files::new(&host, &limits);
            let failed = (0..100)
                .position(|at| matches!(files.read(&VirtualPath::new(&at.to_string())), Err(ReadError::Limit(_))));
            (failed, host.0.get())
        };
        assert_eq!(read(Limits { files: 5, ..Limits::default() }), (Some(5), 5));
        assert_eq!(read(Limits { read_bytes: 45, ..Limits::default() }).0, Some(4));
    }
}
