//! The logs of functions.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// The log of all functions. Clones write to the same sinks.
#[derive(Clone)]
pub struct Log {
    sinks: Arc<Mutex<Vec<Box<dyn Write + Send>>>>,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}

impl Log {
    /// Creates a log that is written to every sink. A sink that fails, such as a closed standard error, does not end
    /// the run.
    pub fn new(sinks: Vec<Box<dyn Write + Send>>) -> Log {
        Log { sinks: Arc::new(Mutex::new(sinks)) }
    }

    /// Writes whole lines.
    pub fn write(&self, lines: &[u8]) {
        let mut sinks = self.sinks.lock().unwrap_or_else(PoisonError::into_inner);
        for sink in sinks.iter_mut() {
            let _ = sink.write_all(lines).and_then(|()| sink.flush());
        }
    }
}
