//! Repeats calls that are not answered.

use std::future::Future;
use std::time::Duration;

use formwork_aws::{CallError, CallErrorKind};
use tokio::time::Instant;

use crate::deadline::Deadline;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::poll_intervals::PollIntervals;

#[derive(Debug)]
pub(crate) struct Retry {
    first: Duration,
    most: Duration,
    pause: Duration,
    /// Set while an operation is in progress: a failed look must not end the run.
    watches: bool,
    /// Makes Ctrl-C wait for a call in flight.
    is_uninterrupted: bool,
    /// Number of further tries; unlimited without one.
    left: Option<usize>,
    /// Time limit of repetitions when no limit was set, counted from `begin`.
    limit: Option<Duration>,
    begin: Instant,
    /// Time of the first of the calls without an answer.
    unanswered: Option<Instant>,
}

/// Time limit of repetitions of a call that leads to a deployment, when no limit is set: an outage of the service must
/// not hold up an unattended run.
const ASKING: Duration = Duration::from_mins(10);

/// Longest time without an answer about an operation in progress.
const WATCHING: Duration = Duration::from_hours(24);

const LAST_LOOKS: usize = 3;

impl Retry {
    /// Repeats calls that lead to a deployment when the service throttles or has an outage.
    pub(crate) fn asking(intervals: &PollIntervals) -> Retry {
        Retry {
            first: intervals.events,
            most: intervals.retry_most,
            pause: intervals.events,
            watches: false,
            is_uninterrupted: false,
            left: None,
            limit: Some(ASKING),
            begin: Instant::now(),
            unanswered: None,
        }
    }

    /// Repeats calls that watch an operation: their failures do not end a deployment.
    pub(crate) fn watching(intervals: &PollIntervals) -> Retry {
        Retry { watches: true, limit: None, ..Retry::asking(intervals) }
    }

    /// Repeats calls after the end of an operation, a few times only.
    pub(crate) fn parting(intervals: &PollIntervals) -> Retry {
        Retry { left: Some(LAST_LOOKS), ..Retry::asking(intervals) }
    }

    /// Protects a call that changes something from interrupts, so that it is known whether the service accepted it.
    pub(crate) fn uninterrupted(self) -> Retry {
        Retry { is_uninterrupted: true, ..self }
    }

    /// Makes a call until it is answered. Permanent failures are errors.
    pub(crate) async fn ask<T, E, F>(
        &mut self,
        call: &'static str,
        deadline: &mut Deadline,
        sink: &mut dyn EventSink,
        mut send: impl FnMut() -> F,
    ) -> Result<T, DeployError>
    where
        E: Into<CallError>,
        F: Future<Output = Result<T, E>>,
    {
        let mut is_reported = false;
        loop {
            let answer = if self.is_uninterrupted { send().await } else { deadline.race(send()).await? };
            match answer {
                Ok(answer) => {
                    self.pause = self.first;
                    self.unanswered = None;
                    return Ok(answer);
                }
                Err(error) => self.bear(call, error.into(), deadline, sink, &mut is_reported).await?,
            }
        }
    }

    async fn bear(
        &mut self,
        call: &'static str,
        failure: CallError,
        deadline: &mut Deadline,
        sink: &mut dyn EventSink,
        is_reported: &mut bool,
    ) -> Result<(), DeployError> {
        let is_over =
            self.limit.is_some_and(|limit| !deadline.has_limit() && self.begin.elapsed() + self.pause > limit);
        let unanswered = *self.unanswered.get_or_insert_with(Instant::now);
        let is_gone = unanswered.elapsed() > WATCHING;
        if !self.bears(&failure) || self.left == Some(0) || is_over || is_gone {
            return Err(DeployError::Call { call, source: failure });
        }
        self.left = self.left.map(|left| left - 1);
        self.pause = (self.pause * 2).min(self.most);
        if !*is_reported {
            sink.retrying(call, &failure, self.pause);
            *is_reported = true;
        }
        deadline.pause(self.pause).await
    }

    /// `true` if the same call may be answered later.
    fn bears(&self, failure: &CallError) -> bool {
        let is_on_the_way = matches!(
            failure.kind,
            CallErrorKind::TimedOut | CallErrorKind::Unreachable | CallErrorKind::Untrusted | CallErrorKind::Malformed
        );
        failure.passes() || self.watches && is_on_the_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;

    struct Retries(Vec<Duration>);

    impl EventSink for Retries {
        fn event(&mut self, _: &Event) {}

        fn retrying(&mut self, _: &'static str, _: &CallError, pause: Duration) {
            self.0.push(pause);
        }

        fn incomplete(&mut self, _: &'static str, _: &CallError) {}
    }

    fn failure(reason: CallErrorKind) -> CallError {
        CallError { kind: reason, code: None, detail: None, status: None }
    }

    fn intervals() -> PollIntervals {
        PollIntervals {
            events: Duration::from_millis(2),
            retry_most: Duration::from_millis(10),
            ..PollIntervals::default()
        }
    }

    /// Counts the calls that are made when each fails, up to the error; `None` when it would go on.
    fn attempts(mut retry: Retry, failure: &CallError) -> Option<usize> {
        const ENOUGH: usize = 8;
        let (mut deadline, mut retries, mut made) = (Deadline::default(), Retries(Vec::new()), 0);
        let result: Result<(), DeployError> = run(retry.ask("X", &mut deadline, &mut retries, || {
            made += 1;
            std::future::ready(if made < ENOUGH { Err(failure.clone()) } else { Ok(()) })
        }));
        result.is_err().then_some(made)
    }

    #[test]
    fn what_is_borne_depends_on_what_goes_on() {
        let throttled = failure(CallErrorKind::Throttled);
        let broken = CallError { status: Some(503), ..failure(CallErrorKind::Refused) };
        let unreachable = failure(CallErrorKind::Unreachable);
        for passing in [&throttled, &broken] {
            assert_eq!(attempts(Retry::asking(&intervals()), passing), None);
            assert_eq!(attempts(Retry::watching(&intervals()), passing), None);
            assert_eq!(attempts(Retry::parting(&intervals()), passing), Some(1 + LAST_LOOKS));
        }
        let short = Retry { limit: Some(Duration::from_millis(12)), ..Retry::asking(&intervals()) };
        assert!(attempts(short, &throttled).is_some_and(|made| made > 1), "it ends without a limit, too");
        assert_eq!(attempts(Retry::asking(&intervals()), &unreachable), Some(1));
        assert_eq!(attempts(Retry::watching(&intervals()), &unreachable), None);
        assert_eq!(attempts(Retry::watching(&intervals()), &failure(CallErrorKind::Endless)), Some(1));
        if let Some(long_ago) = Instant::now().checked_sub(WATCHING + Duration::from_secs(1)) {
            let gone = Retry { unanswered: Some(long_ago), ..Retry::watching(&intervals()) };
            assert_eq!(attempts(gone, &unreachable), Some(1));
        }
    }

    fn run<T>(work: impl Future<Output = T>) -> T {
        formwork_aws::runtime().expect("a runtime").block_on(work)
    }

    #[test]
    fn pauses_grow_and_are_reported_once() {
        let mut retry = Retry::watching(&intervals());
        let (mut deadline, mut retries, begin) = (Deadline::default(), Retries(Vec::new()), Instant::now());
        let mut left = 5;
        let answer = run(retry.ask("DescribeStackEvents", &mut deadline, &mut retries, || {
            left -= 1;
            std::future::ready(if left > 0 { Err(failure(CallErrorKind::Throttled)) } else { Ok(7) })
        }));
        assert_eq!(answer, Ok(7));
        assert_eq!(retries.0, [Duration::from_millis(4)]);
        assert!(begin.elapsed() >= Duration::from_millis(4 + 8 + 10 + 10), "{:?}", begin.elapsed());
    }

    #[test]
    fn errors_that_waiting_does_not_fix() {
        let mut retry = Retry::watching(&PollIntervals::default());
        let (mut deadline, mut retries) = (Deadline::default(), Retries(Vec::new()));
        let denied = failure(CallErrorKind::Denied);
        let answer: Result<(), DeployError> =
            run(retry.ask("X", &mut deadline, &mut retries, || std::future::ready(Err(denied.clone()))));
        assert_eq!(answer, Err(DeployError::Call { call: "X", source: denied }));
        assert!(retries.0.is_empty());
    }
}
