//! Waiting that ends with Ctrl-C, or when the time is over.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use formwork_aws::{Failure, Reason};
use tokio::time::Instant;

use crate::stop::Stop;
use crate::watcher::Watcher;

/// Waits for something, unless somebody interrupts.
#[derive(Default)]
pub(crate) struct Waiting {
    /// Ctrl-C. It is listened to from the first wait on, also between two waits.
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

/// Ends at Ctrl-C, and at SIGTERM where there is such a thing; never where nothing can be listened to.
async fn interrupt() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            result = tokio::signal::ctrl_c() => if result.is_ok() { return },
            Some(()) = terminate.recv() => return,
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_ok() {
        return;
    }
    std::future::pending::<()>().await;
}

/// Repeats calls that only look: no deployment ends since a look at it failed.
#[derive(Debug)]
pub(crate) struct Patience {
    first: Duration,
    most: Duration,
    pause: Duration,
}

impl Patience {
    pub(crate) fn new(first: Duration, most: Duration) -> Patience {
        Patience { first, most, pause: first }
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
            let failure = match waiting.race(send()).await? {
                Ok(answer) => {
                    self.pause = self.first;
                    return Ok(answer);
                }
                Err(error) => error.into(),
            };
            if !passes(&failure) {
                return Err(Stop::Failed { call, failure });
            }
            self.pause = (self.pause * 2).min(self.most);
            if !is_told {
                watcher.trouble(call, &failure, self.pause);
                is_told = true;
            }
            waiting.pause(self.pause).await?;
        }
    }
}

/// Whether the same call may be answered later.
fn passes(failure: &Failure) -> bool {
    match failure.reason {
        Reason::Throttled | Reason::TimedOut | Reason::Unreachable | Reason::Malformed => true,
        Reason::Refused => matches!(
            failure.code.as_deref(),
            Some("InternalFailure" | "InternalError" | "ServiceUnavailable" | "InternalServiceError")
        ),
        Reason::Credentials | Reason::Denied => false,
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
    }

    fn failure(reason: Reason) -> Failure {
        Failure { reason, code: None, detail: None }
    }

    fn run<T>(work: impl Future<Output = T>) -> T {
        formwork_aws::runtime().expect("a runtime").block_on(work)
    }

    #[test]
    fn pauses_grow_and_are_told_once() {
        let mut patience = Patience::new(Duration::from_millis(2), Duration::from_millis(10));
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
        let mut patience = Patience::new(Duration::from_secs(2), Duration::from_secs(30));
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
