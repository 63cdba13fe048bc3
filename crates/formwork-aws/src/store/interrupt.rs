//! Interrupts: unfinished uploads are aborted before the program ends.

use std::io;
use std::sync::mpsc;
use std::thread;

use tokio::sync::watch;

use crate::runtime::runtime;
use crate::signals::Signals;

/// A flag that is set when the program is asked to end.
#[derive(Clone, Debug)]
pub struct Interrupt {
    asked: watch::Receiver<bool>,
}

impl Interrupt {
    /// Listens for Ctrl-C, and on Unix for SIGTERM and SIGHUP, until the process ends. A second signal calls `again`.
    ///
    /// # Errors
    /// When the system does not support it.
    pub fn listen(again: impl Fn() + Send + 'static) -> io::Result<Interrupt> {
        let runtime = runtime()?;
        let (sender, asked) = watch::channel(false);
        let (started, starts) = mpsc::channel();
        // When the system cannot create a thread, signals end the program by themselves.
        thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
            runtime.block_on(async {
                let mut signals = match Signals::new() {
                    Ok(signals) => signals,
                    Err(error) => return drop(started.send(Err(error))),
                };
                let _ = started.send(Ok(()));
                signals.next().await;
                let _ = sender.send(true);
                loop {
                    signals.next().await;
                    again();
                }
            });
        })?;
        // The handlers are in place before this returns.
        starts.recv().map_err(io::Error::other)??;
        Ok(Interrupt { asked })
    }

    /// Creates an interrupt that never comes.
    pub fn never() -> Interrupt {
        Interrupt { asked: watch::channel(false).1 }
    }

    /// Returns `true` once the program was interrupted.
    pub fn is_set(&self) -> bool {
        *self.asked.borrow()
    }

    pub(super) async fn wait(&self) {
        if self.asked.clone().wait_for(|asked| *asked).await.is_err() {
            // No sender is left.
            std::future::pending::<()>().await;
        }
    }
}
