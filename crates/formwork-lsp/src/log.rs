//! The log of the server's own errors.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Option<Arc<Mutex<File>>>);

impl Log {
    /// # Errors
    /// When the file cannot be created.
    pub(crate) fn create(path: Option<&Path>) -> std::io::Result<Log> {
        let file = path.map(File::create).transpose()?;
        Ok(Log(file.map(|file| Arc::new(Mutex::new(file)))))
    }

    /// Adds a line. An error of writing is ignored.
    pub(crate) fn line(&self, text: &str) {
        if let Some(file) = &self.0 {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writeln!(file, "{}", text.replace('\n', " "));
        }
    }
}
