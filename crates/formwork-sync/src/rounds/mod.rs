//! Runs `formwork sync`: rounds that build, compare, and deploy or push (reference/sync.md).

mod args;
mod content;
mod interest;
mod push;
mod round;
mod snapshot;
mod sync_reporter;
mod syncer;
mod wanted;

use std::sync::atomic::{AtomicBool, Ordering};

use formwork_project::Failure;
use formwork_run::Status;
use formwork_run::terminal::say_error;
use formwork_run::watch::Watcher;
use round::Occasion;
use syncer::Syncer;
use wanted::Wanted;

pub use args::SyncArgs;

/// Keeps a stack in sync with its sources until `interrupt` is set.
///
/// # Errors
/// When the arguments contradict each other, or a file that they name cannot be read in the first round.
pub fn run(args: &SyncArgs, interrupt: &AtomicBool) -> Result<Status, Failure> {
    let wanted = Wanted::new(args)?;
    let mut syncer = Syncer::new(args, &wanted, interrupt);
    if !wanted.watches {
        return syncer.round(Occasion::First);
    }
    let unwatched = |error: formwork_run::watch::WatchError| error.to_string();
    let mut watcher = Watcher::new().map_err(unwatched)?;
    watcher.watch(interest::before(&wanted)?).map_err(unwatched)?;
    let mut occasion = Occasion::First;
    loop {
        let status = match syncer.round(occasion) {
            Ok(status) => status,
            // Wrong arguments fail in the first round; later, a missing file may come back.
            Err(failure) if occasion == Occasion::First => return Err(failure),
            Err(failure) => {
                say_error(&String::from(failure));
                Status::Errors
            }
        };
        // No edit of a file changes these.
        let is_hopeless = occasion == Occasion::First
            && matches!(status, Status::NotPermitted | Status::NoRegion | Status::Unreachable);
        if is_hopeless || status == Status::Interrupted {
            return Ok(status);
        }
        let is_more = match syncer.interest.take() {
            Some(interest) => watcher.watch(interest).map_err(unwatched)?,
            None => false,
        };
        // Finds what changed while it was not watched.
        if is_more && syncer.is_complete {
            occasion = Occasion::Look;
            continue;
        }
        syncer.reporter.waiting();
        let Some(changed) = watcher.wait(&|| interrupt.load(Ordering::Relaxed)) else {
            syncer.reporter.ended();
            return Ok(Status::Interrupted);
        };
        syncer.reporter.changed(&changed);
        occasion = Occasion::Change;
    }
}
