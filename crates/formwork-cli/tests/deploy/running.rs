//! The process that a server of the tests interrupts.

use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// The process of the latest run: it may ask a server before its number is noted here.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<(Mutex<Option<u32>>, Condvar)>);

impl Running {
    /// Notes the number of the process, or that it is about to start.
    pub(crate) fn set(&self, id: Option<u32>) {
        *self.0.0.lock().expect("the number") = id;
        self.0.1.notify_all();
    }

    /// Sends it a signal, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        let (id, noted) = &*self.0;
        let id = id.lock().expect("the number");
        let (id, _) = noted.wait_timeout_while(id, Duration::from_secs(20), |id| id.is_none()).expect("the number");
        let id = id.expect("a process to signal").to_string();
        let killed = Command::new("kill").args([&format!("-{name}"), &id]).status();
        assert!(killed.is_ok_and(|status| status.success()), "{name} to {id}");
    }
}
