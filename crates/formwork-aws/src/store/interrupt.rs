//! Ctrl-C: what was begun is taken back before the program ends.

use std::io;
use std::sync::mpsc;
use std::thread;

use tokio::sync::watch;

use crate::runtime::runtime;
use crate::signals::Signals;

/// Whether the program was asked to end.
#[derive(Clone, Debug)]
pub struct Interrupt {
    asked: watch::Receiver<bool>,
}

impl Interrupt {
    /// Listens for Ctrl-C, and for SIGTERM and SIGHUP where there are such things, until the process ends. When the
    /// program is asked a second time, `again` is called.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn listen(again: impl Fn() + Send + 'static) -> io::Result<Interrupt> {
        let runtime = runtime()?;
        let (tell, asked) = watch::channel(false);
        let (started, starts) = mpsc::channel();
        // Where the system makes no thread, nobody listens, and signals end the program as ever.
        thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
            runtime.block_on(async {
                let mut signals = match Signals::new() {
                    Ok(signals) => signals,
                    Err(error) => return drop(started.send(Err(error))),
                };
                let _ = started.send(Ok(()));
                signals.next().await;
                let _ = tell.send(true);
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

    /// One that never comes.
    pub fn never() -> Interrupt {
        Interrupt { asked: watch::channel(false).1 }
    }

    /// Whether it came.
    pub fn is_set(&self) -> bool {
        *self.asked.borrow()
    }

    /// Waits for it.
    pub(super) async fn wait(&self) {
        if self.asked.clone().wait_for(|asked| *asked).await.is_err() {
            // Nobody is left who could interrupt.
            std::future::pending::<()>().await;
        }
    }
}
