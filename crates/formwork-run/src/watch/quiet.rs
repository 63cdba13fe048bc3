//! Detects the end of a series of changes.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A series of changes with no longer pause between them than [`Quiet::PAUSE`].
#[derive(Debug, Default)]
pub struct Quiet {
    changed: BTreeSet<PathBuf>,
    last: Option<Instant>,
}

impl Quiet {
    /// The time without a change after which a series is over.
    pub const PAUSE: Duration = Duration::from_millis(200);

    /// Adds a change.
    pub fn add(&mut self, path: PathBuf, now: Instant) {
        self.changed.insert(path);
        self.last = Some(now);
    }

    /// Returns the minimum time until the series is over; `None` when nothing has changed.
    pub fn left(&self, now: Instant) -> Option<Duration> {
        self.last.map(|last| (last + Quiet::PAUSE).saturating_duration_since(now))
    }

    /// Returns the changed paths, once the series is over.
    pub fn take(&mut self, now: Instant) -> Option<BTreeSet<PathBuf>> {
        self.left(now).filter(Duration::is_zero)?;
        self.last = None;
        Some(std::mem::take(&mut self.changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_with_a_pause() {
        let begin = Instant::now();
        let at = |milliseconds| begin + Duration::from_millis(milliseconds);
        let mut quiet = Quiet::default();
        assert_eq!((quiet.left(at(0)), quiet.take(at(500))), (None, None));
        quiet.add("a".into(), at(0));
        quiet.add("b".into(), at(150));
        quiet.add("a".into(), at(300));
        assert_eq!(quiet.take(at(499)), None);
        assert_eq!(quiet.left(at(400)), Some(Duration::from_millis(100)));
        assert_eq!(quiet.take(at(500)), Some(["a".into(), "b".into()].into()));
        assert_eq!(quiet.take(at(900)), None, "each series is reported once");
    }
}
