//! The signals that end a program.

use std::future::{Future, pending};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::LocalError;

/// The signal that ended a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// SIGINT.
    Interrupted,
    /// SIGTERM, or SIGHUP.
    Terminated,
}

/// Handles SIGINT, SIGTERM and SIGHUP, which no longer end the program by themselves.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` when the program was started to ignore it.
    hangup: Option<Signal>,
}

impl Signals {
    /// Listens from now on: a server does so before it reports that it has started.
    pub(crate) fn listen() -> Result<Signals, LocalError> {
        let listen = |kind| signal(kind).map_err(LocalError::system("signals cannot be handled"));
        let ignores_hangup = formwork_disk::temporaries::ignores_hangup();
        Ok(Signals {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: if ignores_hangup { None } else { Some(listen(SignalKind::hangup())?) },
        })
    }

    /// Runs `work` until it is done, or until a signal, which may have come before: then `work` is dropped, with
    /// everything that it started.
    pub(crate) async fn end<T>(mut self, work: impl Future<Output = T>) -> Result<T, Ending> {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => pending().await,
            }
        };
        tokio::select! {
            result = work => Ok(result),
            _ = self.interrupt.recv() => Err(Ending::Interrupted),
            _ = self.terminate.recv() => Err(Ending::Terminated),
            _ = hangup => Err(Ending::Terminated),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_signal_ends_work_that_begins_later() {
        let signals = Signals::listen().expect("they are handled");
        let own = std::process::id().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &own]).status().expect("kill");
        assert!(sent.success());
        assert_eq!(signals.end(pending::<()>()).await, Err(Ending::Terminated));
    }
}
