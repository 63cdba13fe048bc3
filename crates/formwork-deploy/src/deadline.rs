//! Waits that end with Ctrl-C, or at a time limit.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use tokio::time::Instant;

use crate::error::DeployError;

/// Ends every wait with Ctrl-C, or at the time limit.
#[derive(Default)]
pub(crate) struct Deadline {
    /// Ctrl-C and similar signals. It listens from the first wait on, also between two waits.
    signal: Option<Pin<Box<dyn Future<Output = ()>>>>,
    limit: Option<Instant>,
}

impl std::fmt::Debug for Deadline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deadline").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Deadline {
    /// Sets the time limit, counted from now.
    pub(crate) fn limit(&mut self, limit: Duration) {
        self.limit = Instant::now().checked_add(limit);
    }

    pub(crate) fn has_limit(&self) -> bool {
        self.limit.is_some()
    }

    pub(crate) async fn race<T>(&mut self, work: impl Future<Output = T>) -> Result<T, DeployError> {
        let mut signal = self.signal.take().unwrap_or_else(|| Box::pin(interrupt()));
        let limit = self.limit;
        let is_over = async {
            match limit {
                Some(limit) => tokio::time::sleep_until(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = &mut signal => Err(DeployError::Interrupted),
            value = work => {
                self.signal = Some(signal);
                Ok(value)
            }
            () = is_over => {
                self.signal = Some(signal);
                Err(DeployError::TimedOut)
            }
        }
    }

    pub(crate) async fn pause(&mut self, pause: Duration) -> Result<(), DeployError> {
        self.race(tokio::time::sleep(pause)).await
    }
}

/// Ends when a signal asks the program to end; never where signals are not supported.
async fn interrupt() {
    match formwork_aws::Signals::new() {
        Ok(mut signals) => signals.next().await,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_ends_waiting() {
        let mut deadline = Deadline::default();
        formwork_aws::runtime().expect("a runtime").block_on(async {
            deadline.limit(Duration::from_millis(30));
            assert_eq!(deadline.pause(Duration::from_millis(1)).await, Ok(()));
            assert_eq!(deadline.pause(Duration::from_mins(1)).await, Err(DeployError::TimedOut));
        });
    }
}
