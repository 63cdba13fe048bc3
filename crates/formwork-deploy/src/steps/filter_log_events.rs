//! Reads lines of logs.

use std::time::Duration;

use formwork_aws::{JsonRequest, Service};
use serde_json::{Map, Value};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::log_event::{LogEvent, LogQuery, LogSink};
use crate::log_merge::{OpenLog, pop};
use crate::log_source::LogSource;
use crate::retry::Retry;

const CALL: &str = "FilterLogEvents";

const PAGE: u64 = 10_000;

const ROUND: Duration = Duration::from_secs(1);

impl Calls {
    /// Passes on the lines of all sources in the order of their times; with `tails`, also new lines, until the run
    /// ends.
    pub(crate) async fn logs(
        &mut self,
        sources: &[LogSource],
        query: &LogQuery,
        tails: bool,
        sink: &mut dyn LogSink,
    ) -> Result<(), DeployError> {
        let mut logs: Vec<OpenLog> = sources.iter().cloned().map(OpenLog::new).collect();
        let mut retry = if tails { Retry::watching(&self.intervals) } else { Retry::asking(&self.intervals) };
        loop {
            loop {
                while let Some(log) = logs.iter_mut().find(|log| log.is_open()) {
                    self.read_page(log, query, &mut retry, sink).await?;
                }
                let Some((source, event)) = pop(&mut logs) else { break };
                if !sink.line(source, &event) {
                    return Ok(());
                }
            }
            if !tails {
                return Ok(());
            }
            self.deadline.pause(ROUND).await?;
            logs.iter_mut().for_each(OpenLog::reopen);
        }
    }

    /// Reads the next page of a log. Further pages may follow an empty one; only a page without a token is the last.
    async fn read_page(
        &mut self,
        log: &mut OpenLog,
        query: &LogQuery,
        retry: &mut Retry,
        sink: &mut dyn LogSink,
    ) -> Result<(), DeployError> {
        let mut body = Map::new();
        body.insert("logGroupName".to_owned(), log.source.log_group.clone().into());
        for (name, time) in [("startTime", log.start(query.start)), ("endTime", query.end)] {
            body.extend(time.map(|time| (name.to_owned(), Value::from(time))));
        }
        body.extend(query.pattern.clone().map(|pattern| ("filterPattern".to_owned(), pattern.into())));
        body.extend(log.next.clone().map(|token| ("nextToken".to_owned(), token.into())));
        body.insert("limit".to_owned(), PAGE.into());
        let request = JsonRequest::of_target("Logs_20140328.FilterLogEvents", &body.into()).version_1_1();
        let send = || self.services.call(Service::Logs, request.clone());
        let page = match retry.ask(CALL, &mut self.deadline, sink, send).await {
            Ok(page) => page,
            Err(DeployError::Call { source, .. }) if source.code.as_deref() == Some("ResourceNotFoundException") => {
                if !log.is_missing_reported {
                    sink.no_group(&log.source);
                    log.is_missing_reported = true;
                }
                log.close();
                return Ok(());
            }
            Err(stop) => return Err(stop),
        };
        let events = page["events"].as_array().into_iter().flatten().map(LogEvent::of).collect();
        match log.next_page(page["nextToken"].as_str().map(str::to_owned)) {
            Ok(next) => log.add(events, next),
            Err(failure) => {
                sink.incomplete(CALL, &failure);
                log.add(events, None);
            }
        }
        Ok(())
    }
}
