//! Ctrl-C, once for everything that is uploaded.

use std::cell::OnceCell;

use formwork_aws::Interrupt;

/// The status of a process that somebody ended.
const INTERRUPTED: i32 = 130;

/// Whether somebody asked the program to end, since it listens.
#[derive(Debug, Default)]
pub(crate) struct Stop(OnceCell<Interrupt>);

impl Stop {
    /// Listens from now on, so that what was begun is taken back.
    pub(crate) fn listen(&self) -> &Interrupt {
        self.0.get_or_init(|| {
            // Whoever asks twice does not want to wait.
            let listening = Interrupt::listen(|| std::process::exit(INTERRUPTED));
            listening.unwrap_or_else(|_| Interrupt::never())
        })
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.get().is_some_and(Interrupt::is_set)
    }
}
