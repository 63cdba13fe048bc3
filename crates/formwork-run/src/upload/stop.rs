//! Ctrl-C handling for all uploads.

use std::cell::OnceCell;

use formwork_aws::Interrupt;

const INTERRUPTED: i32 = 130;

#[derive(Debug, Default)]
pub(crate) struct Stop(OnceCell<Interrupt>);

impl Stop {
    /// Starts listening, so that unfinished uploads can be aborted.
    pub(crate) fn listen(&self) -> &Interrupt {
        self.0.get_or_init(|| {
            // A second interrupt ends the program immediately.
            let listening = Interrupt::listen(|| std::process::exit(INTERRUPTED));
            listening.unwrap_or_else(|_| Interrupt::never())
        })
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.get().is_some_and(Interrupt::is_set)
    }
}
