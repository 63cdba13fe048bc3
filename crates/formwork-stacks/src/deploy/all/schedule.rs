//! The order in which stacks run: each behind those that it needs, several in parallel.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};

/// The end of a stack.
#[derive(Debug)]
pub(super) enum Ending<R> {
    /// It was run.
    Ended(R),
    /// It was not run, since it needs this one, which failed or was not run.
    Needs(usize),
    /// It was not run, since another one failed.
    Stopped,
}

/// What the end of a stack means for the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// They go on.
    All,
    /// Those that need it are not begun.
    Others,
    /// Nothing more is begun.
    Nothing,
}

/// The stacks of a run by their numbers.
pub(super) struct Schedule {
    needs: Vec<BTreeSet<usize>>,
    /// Set when the first failure stops all that has not begun.
    is_fast: bool,
}

enum State<R> {
    Waits,
    Runs,
    Ended { ending: Ending<R>, next: Next },
}

impl Schedule {
    /// `needs` has for each stack the numbers of those that come first.
    pub(super) fn new(needs: Vec<BTreeSet<usize>>, is_fast: bool) -> Schedule {
        Schedule { needs, is_fast }
    }

    /// Runs all stacks, at most `jobs` at a time. `run` returns what the end of a stack means for others, and its result.
    pub(super) fn run<R: Send>(&self, jobs: usize, run: &(impl Fn(usize) -> (Next, R) + Sync)) -> Vec<Ending<R>> {
        let states: Vec<State<R>> = self.needs.iter().map(|_| State::Waits).collect();
        let (states, changed) = (Mutex::new(states), Condvar::new());
        let work = || {
            let mut held = states.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                self.pass_over(&mut held);
                if let Some(next) = self.next(&held) {
                    set(&mut held, next, State::Runs);
                    drop(held);
                    let (after, result) = run(next);
                    held = states.lock().unwrap_or_else(PoisonError::into_inner);
                    set(&mut held, next, State::Ended { ending: Ending::Ended(result), next: after });
                    changed.notify_all();
                } else if held.iter().any(|state| matches!(state, State::Waits)) {
                    held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
                } else {
                    changed.notify_all();
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..jobs.min(self.needs.len()) {
                // Without a further thread the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let states = states.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ending = |state| match state {
            State::Ended { ending, .. } => ending,
            State::Waits | State::Runs => Ending::Stopped,
        };
        states.into_iter().map(ending).collect()
    }

    /// Ends what cannot run: it needs one that failed, or a failure stops everything.
    fn pass_over<R>(&self, states: &mut [State<R>]) {
        let is_failed = |state: &State<R>| matches!(state, State::Ended { next: Next::Others | Next::Nothing, .. });
        let is_end = |state: &State<R>| matches!(state, State::Ended { next: Next::Nothing, .. });
        let stops = states.iter().any(|state| is_end(state) || self.is_fast && is_failed(state));
        for (number, needs) in self.needs.iter().enumerate() {
            if !matches!(states.get(number), Some(State::Waits)) {
                continue;
            }
            let failed = needs.iter().find(|&&need| states.get(need).is_some_and(is_failed));
            let ending = match failed {
                Some(&need) => Ending::Needs(need),
                None if stops => Ending::Stopped,
                None => continue,
            };
            set(states, number, State::Ended { ending, next: Next::Others });
        }
    }

    fn next<R>(&self, states: &[State<R>]) -> Option<usize> {
        let has_ended = |need: &usize| matches!(states.get(*need), Some(State::Ended { .. }));
        let is_ready = |(number, needs): &(usize, &BTreeSet<usize>)| {
            matches!(states.get(*number), Some(State::Waits)) && needs.iter().all(has_ended)
        };
        self.needs.iter().enumerate().find(is_ready).map(|(number, _)| number)
    }
}

fn set<R>(states: &mut [State<R>], number: usize, state: State<R>) {
    if let Some(slot) = states.get_mut(number) {
        *slot = state;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn needs(all: &[&[usize]]) -> Vec<BTreeSet<usize>> {
        all.iter().map(|one| one.iter().copied().collect()).collect()
    }

    #[test]
    fn a_stack_runs_behind_what_it_needs_and_not_at_all_behind_a_failure() {
        for jobs in [1, 2, 4] {
            let order = Mutex::new(Vec::new());
            let run = |number: usize| {
                order.lock().expect("held").push(number);
                (if number == 1 { Next::Others } else { Next::All }, number)
            };
            // 2 needs 1, which fails; 3 needs 2; 4 needs 0.
            let ended = Schedule::new(needs(&[&[], &[], &[1], &[2], &[0]]), false).run(jobs, &run);
            assert!(matches!(
                ended.as_slice(),
                [Ending::Ended(0), Ending::Ended(1), Ending::Needs(1), Ending::Needs(2), Ending::Ended(4)]
            ));
            let order = order.into_inner().expect("held");
            let at = |number: usize| order.iter().position(|one| *one == number);
            assert!(at(0) < at(4), "{order:?}");
        }
    }

    #[test]
    fn a_failure_stops_everything_when_that_is_asked_for() {
        let run = |number: usize| (if number == 0 { Next::Others } else { Next::All }, number);
        let ended = Schedule::new(needs(&[&[], &[], &[]]), true).run(1, &run);
        assert!(matches!(ended.as_slice(), [Ending::Ended(0), Ending::Stopped, Ending::Stopped]));
    }

    #[test]
    fn nothing_begins_behind_an_interrupt() {
        let run = |number: usize| (Next::Nothing, number);
        let ended = Schedule::new(needs(&[&[], &[], &[0]]), false).run(1, &run);
        assert!(matches!(ended.as_slice(), [Ending::Ended(0), Ending::Stopped, Ending::Needs(0)]));
    }

    #[test]
    fn no_more_run_at_a_time_than_asked_for() {
        let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let run = |number: usize| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(5));
            running.fetch_sub(1, Ordering::SeqCst);
            (Next::All, number)
        };
        Schedule::new(vec![BTreeSet::new(); 12], false).run(3, &run);
        assert!(most.load(Ordering::SeqCst) <= 3);
    }
}
