//! Waiting that ends with Ctrl-C, or when the time is over.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use formwork_aws::{Failure, Reason};
use tokio::time::Instant;

use crate::pace::Pace;
use crate::stop::Stop;
use crate::watcher::Watcher;

/// Waits for something, unless somebody interrupts.
#[derive(Default)]
pub(crate) struct Waiting {
    /// Ctrl-C and its like. It is listened to from the first wait on, also between two waits.
    signal: Option<Pin<Box<dyn Future<Output = ()>>>>,
    deadline: Option<Instant>,
}

impl std::fmt::Debug for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waiting").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl Waiting {
    /// Ends all waiting when `limit` is over, counted from now.
    pub(crate) fn limit(&mut self, limit: Duration) {
        self.deadline = Instant::now().checked_add(limit);
    }

    /// Waits for `work`.
    pub(crate) async fn race<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Stop> {
        let mut signal = self.signal.take().unwrap_or_else(|| Box::pin(interrupt()));
        let deadline = self.deadline;
        let is_over = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = &mut signal => Err(Stop::Interrupted),
            value = work => {
                self.signal = Some(signal);
                Ok(value)
            }
            () = is_over => {
                self.signal = Some(signal);
                Err(Stop::TimedOut)
            }
        }
    }

    /// Waits for a while.
    pub(crate) async fn pause(&mut self, pause: Duration) -> Result<(), Stop> {
        self.race(tokio::time::sleep(pause)).await
    }
}

/// Ends when the program is asked to end; never where nothing can be listened to.
async fn interrupt() {
    match formwork_aws::Signals::new() {
        Ok(mut signals) => signals.next().await,
        Err(_) => std::future::pending().await,
    }
}

/// How often a call is made again that was not answered.
#[derive(Debug)]
pub(crate) struct Patience {
    first: Duration,
    most: Duration,
    pause: Duration,
    /// Whether something goes on at the service that no failed look may end.
    watches: bool,
    /// How many more times a call is made; any number without one.
    left: Option<usize>,
    /// How long calls are made again when nobody gave a limit, counted from `begin`.
    limit: Option<Duration>,
    begin: Instant,
}

/// How long a call that leads to a deployment is made again when nobody says: a service that is out of order
/// for longer does not hold up whoever started the run unattended.
const ASKING: Duration = Duration::from_mins(10);

/// How often a last look is made again once everything is done.
const LAST_LOOKS: usize = 3;

impl Patience {
    /// For calls that lead to a deployment: a service that throttles or is out of order is asked again.
    pub(crate) fn asking(pace: &Pace) -> Patience {
        Patience {
            first: pace.events,
            most: pace.trouble_most,
            pause: pace.events,
            watches: false,
            left: None,
            limit: Some(ASKING),
            begin: Instant::now(),
        }
    }

    /// For looks at what goes on: no deployment ends since a look at it failed.
    pub(crate) fn watching(pace: &Pace) -> Patience {
        Patience { watches: true, limit: None, ..Patience::asking(pace) }
    }

    /// For what is asked when all is done: nobody waits for it long.
    pub(crate) fn parting(pace: &Pace) -> Patience {
        Patience { left: Some(LAST_LOOKS), ..Patience::asking(pace) }
    }

    /// Makes a call until it is answered. What will not get better by waiting is an error.
    pub(crate) async fn ask<T, E, F>(
        &mut self,
        call: &'static str,
        waiting: &mut Waiting,
        watcher: &mut dyn Watcher,
        mut send: impl FnMut() -> F,
    ) -> Result<T, Stop>
    where
        E: Into<Failure>,
        F: Future<Output = Result<T, E>>,
    {
        let mut is_told = false;
        loop {
            match waiting.race(send()).await? {
                Ok(answer) => {
                    self.pause = self.first;
                    return Ok(answer);
                }
                Err(error) => self.bear(call, error.into(), waiting, watcher, &mut is_told).await?,
            }
        }
    }

    /// The same for a call that changes something: while it is under way nothing interrupts it, so that it
    /// is known whether the service took it.
    pub(crate) async fn insist<T, E, F>(
        &mut self,
        call: &'static str,
        waiting: &mut Waiting,
        watcher: &mut dyn Watcher,
        mut send: impl FnMut() -> F,
    ) -> Result<T, Stop>
    where
        E: Into<Failure>,
        F: Future<Output = Result<T, E>>,
    {
        let mut is_told = false;
        loop {
            match send().await {
                Ok(answer) => return Ok(answer),
                Err(error) => self.bear(call, error.into(), waiting, watcher, &mut is_told).await?,
            }
        }
    }

    /// Waits after a failure, if the call is to be made again.
    async fn bear(
        &mut self,
        call: &'static str,
        failure: Failure,
        waiting: &mut Waiting,
        watcher: &mut dyn Watcher,
        is_told: &mut bool,
    ) -> Result<(), Stop> {
        let is_over =
            self.limit.is_some_and(|limit| waiting.deadline.is_none() && self.begin.elapsed() + self.pause > limit);
        if !self.bears(&failure) || self.left == Some(0) || is_over {
            return Err(Stop::Failed { call, failure });
        }
        self.left = self.left.map(|left| left - 1);
        self.pause = (self.pause * 2).min(self.most);
        if !*is_told {
            watcher.trouble(call, &failure, self.pause);
            *is_told = true;
        }
        waiting.pause(self.pause).await
    }

    /// Whether the same call may be answered later.
    fn bears(&self, failure: &Failure) -> bool {
        let is_on_the_way =
            matches!(failure.reason, Reason::TimedOut | Reason::Unreachable | Reason::Untrusted | Reason::Malformed);
        failure.passes() || self.watches && is_on_the_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    struct Told(Vec<Duration>);

    impl Watcher for Told {
        fn event(&mut self, _: &Event) {}

        fn trouble(&mut self, _: &'static str, _: &Failure, pause: Duration) {
            self.0.push(pause);
        }

        fn incomplete(&mut self, _: &'static str, _: &Failure) {}
    }

    fn failure(reason: Reason) -> Failure {
        Failure { reason, code: None, detail: None, status: None }
    }

    fn pace() -> Pace {
        Pace { events: Duration::from_millis(2), trouble_most: Duration::from_millis(10), ..Pace::default() }
    }

    /// How often a call is made that always fails, and how it ends; `None` when it would go on.
    fn attempts(mut patience: Patience, failure: &Failure) -> Option<usize> {
        const ENOUGH: usize = 8;
        let (mut waiting, mut told, mut made) = (Waiting::default(), Told(Vec::new()), 0);
        let result: Result<(), Stop> = run(patience.ask("X", &mut waiting, &mut told, || {
            made += 1;
            std::future::ready(if made < ENOUGH { Err(failure.clone()) } else { Ok(()) })
        }));
        result.is_err().then_some(made)
    }

    #[test]
    fn what_is_borne_depends_on_what_goes_on() {
        let throttled = failure(Reason::Throttled);
        let broken = Failure { status: Some(503), ..failure(Reason::Refused) };
        let unreachable = failure(Reason::Unreachable);
        for passing in [&throttled, &broken] {
            assert_eq!(attempts(Patience::asking(&pace()), passing), None);
            assert_eq!(attempts(Patience::watching(&pace()), passing), None);
            assert_eq!(attempts(Patience::parting(&pace()), passing), Some(1 + LAST_LOOKS));
        }
        let short = Patience { limit: Some(Duration::from_millis(12)), ..Patience::asking(&pace()) };
        assert!(attempts(short, &throttled).is_some_and(|made| made > 1), "it ends without a limit, too");
        assert_eq!(attempts(Patience::asking(&pace()), &unreachable), Some(1));
        assert_eq!(attempts(Patience::watching(&pace()), &unreachable), None);
        assert_eq!(attempts(Patience::watching(&pace()), &failure(Reason::Endless)), Some(1));
    }

    fn run<T>(work: impl Future<Output = T>) -> T {
        formwork_aws::runtime().expect("a runtime").block_on(work)
    }

    #[test]
    fn pauses_grow_and_are_told_once() {
        let mut patience = Patience::watching(&pace());
        let (mut waiting, mut told, begin) = (Waiting::default(), Told(Vec::new()), Instant::now());
        let mut left = 5;
        let answer = run(patience.ask("DescribeStackEvents", &mut waiting, &mut told, || {
            left -= 1;
            std::future::ready(if left > 0 { Err(failure(Reason::Throttled)) } else { Ok(7) })
        }));
        assert_eq!(answer, Ok(7));
        assert_eq!(told.0, [Duration::from_millis(4)]);
        assert!(begin.elapsed() >= Duration::from_millis(4 + 8 + 10 + 10), "{:?}", begin.elapsed());
    }

    #[test]
    fn what_waiting_does_not_mend() {
        let mut patience = Patience::watching(&Pace::default());
        let (mut waiting, mut told) = (Waiting::default(), Told(Vec::new()));
        let denied = failure(Reason::Denied);
        let answer: Result<(), Stop> =
            run(patience.ask("X", &mut waiting, &mut told, || std::future::ready(Err(denied.clone()))));
        assert_eq!(answer, Err(Stop::Failed { call: "X", failure: denied }));
        assert!(told.0.is_empty());
    }

    #[test]
    fn time_is_over() {
        let mut waiting = Waiting::default();
        run(async {
            waiting.limit(Duration::from_millis(30));
            assert_eq!(waiting.pause(Duration::from_millis(1)).await, Ok(()));
            assert_eq!(waiting.pause(Duration::from_mins(1)).await, Err(Stop::TimedOut));
        });
    }
}
