//! The line that shows what a run is doing (reference/command-line.md#progress): it appears when the work takes longer
//! than half a second, and is erased at its end. Only people see it.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that takes less time is not shown.
const AFTER: Duration = Duration::from_millis(500);
const PERIOD: Duration = Duration::from_millis(100);

/// The line of the process that is visible, or about to be.
static CURRENT: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn current() -> MutexGuard<'static, Option<ProgressBar>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns `true` if a person looks at standard error, and wants more than messages.
pub fn may_show() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb && !is_set("NO_COLOR") && !is_set("CI")
}

/// Work in progress. Dropping it erases the line.
#[derive(Debug)]
pub struct Working {
    bar: Option<ProgressBar>,
    /// Ends the thread that makes the line visible.
    _end: Option<Sender<()>>,
}

impl Working {
    /// Begins work on a number of things. `what` names both: `checking {} templates`, in which the counts replace `{}`.
    /// Nothing is shown without `shows`.
    pub fn begin(what: &str, count: usize, shows: bool) -> Working {
        if !shows || !may_show() {
            return Working { bar: None, _end: None };
        }
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::hidden());
        let template = format!("{}, {{elapsed}}{{msg}}", what.replacen("{}", "{pos} of {len}", 1));
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        let (end, ended) = channel();
        let shown = bar.clone();
        std::thread::spawn(move || show_later(&shown, &ended));
        *current() = Some(bar.clone());
        Working { bar: Some(bar), _end: Some(end) }
    }

    /// Counts one thing, and shows what comes next or has ended.
    pub fn step(&self, name: &str) {
        if let Some(bar) = &self.bar {
            self.name(name);
            bar.inc(1);
        }
    }

    /// Shows a part of the work.
    pub fn name(&self, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(if name.is_empty() {
                String::new()
            } else {
                format!(": {}", formwork_report::printable(name))
            });
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            // Under the lock, so that the thread does not show it afterwards.
            let mut current = current();
            bar.finish_and_clear();
            *current = None;
        }
    }
}

fn show_later(bar: &ProgressBar, ended: &Receiver<()>) {
    if ended.recv_timeout(AFTER) != Err(RecvTimeoutError::Timeout) {
        return;
    }
    let current = current();
    if !bar.is_finished() {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.enable_steady_tick(PERIOD);
    }
    drop(current);
}

/// Writes while the line is away.
pub(crate) fn beside<T>(write: impl FnOnce() -> T) -> T {
    let bar = current().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Erases the line for good: a question comes.
pub(crate) fn end() {
    if let Some(bar) = current().take() {
        bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_shown_without_a_terminal() {
        // Standard error of a test is not a terminal, or the run is in CI; otherwise the line is erased at the end.
        let working = Working::begin("checking {} templates", 2, false);
        assert!(working.bar.is_none());
        working.step("t.yaml");
        assert_eq!(beside(|| 7), 7);
    }
}
