//! Signals that ask the program to end: Ctrl-C, and on Unix SIGTERM and SIGHUP.

use std::io;

#[cfg(unix)]
use formwork_disk::temporaries;

/// Listens for signals that ask the program to end. From then on they do not end it by themselves.
#[cfg(unix)]
#[derive(Debug)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` when the program was started to outlive the terminal (`nohup`).
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Listens from now on. Must be called within a runtime.
    ///
    /// # Errors
    /// When the system does not support it.
    pub fn new() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        let ignores_hangup = temporaries::ignores_hangup();
        temporaries::leave_signals();
        let hangup = if ignores_hangup { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())?, hangup })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = hangup => {}
        }
    }
}

/// Listens for Ctrl-C. From then on it does not end the program by itself.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(not(unix))]
impl Signals {
    /// Listens from now on. Must be called within a runtime.
    ///
    /// # Errors
    /// When the system does not support it.
    pub fn new() -> io::Result<Signals> {
        tokio::signal::windows::ctrl_c().map(Signals)
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        let _ = self.0.recv().await;
    }
}
