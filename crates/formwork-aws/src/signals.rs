//! Signals that ask the program to end: Ctrl-C, and SIGTERM and SIGHUP where there are such things.

use std::io;

/// Listens for signals that ask the program to end. From then on they do not end it by themselves.
#[cfg(unix)]
#[derive(Debug)]
pub struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// None when whoever started the program wants it to outlive the terminal (`nohup`).
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Listens from now on. It is called within a runtime.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn new() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = if ignores_hangup() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())?, hangup })
    }

    /// Waits for the next one.
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

/// Whether SIGHUP was ignored when the program began, as far as the system has it in a file. To listen
/// would undo that. It is found out once: whoever listens is not ignoring any more.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    static IGNORES: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *IGNORES.get_or_init(|| std::fs::read_to_string("/proc/self/status").is_ok_and(|status| has_hangup(&status)))
}

/// Whether the mask of ignored signals in a status file has SIGHUP, the first of them.
#[cfg(unix)]
fn has_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Listens for Ctrl-C. From then on it does not end the program by itself.
#[cfg(not(unix))]
#[derive(Debug)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(not(unix))]
impl Signals {
    /// Listens from now on. It is called within a runtime.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn new() -> io::Result<Signals> {
        tokio::signal::windows::ctrl_c().map(Signals)
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        let _ = self.0.recv().await;
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ignored_hangups() {
        assert!(has_hangup("Name:\tx\nSigIgn:\t0000000000001001\nSigCgt:\t0\n"));
        assert!(!has_hangup("SigBlk:\t1\nSigIgn:\t0000000000001000\n"));
        assert!(!has_hangup(""));
    }
}
