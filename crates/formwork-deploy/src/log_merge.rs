//! Merges the lines of several log groups in the order of their times.

use std::collections::{HashSet, VecDeque};

use formwork_aws::{CallError, Pages, Paging};

use crate::log_event::LogEvent;
use crate::log_source::LogSource;

#[derive(Debug)]
pub(crate) struct OpenLog {
    pub(crate) source: LogSource,
    /// Lines that were read and not handed on.
    waiting: VecDeque<LogEvent>,
    pub(crate) next: Option<String>,
    /// The pages of this round. Lines are handed on as they come, so that each group counts for itself.
    paging: Option<Paging>,
    is_read: bool,
    /// The time of the newest line, and the IDs of all lines of that time.
    newest: Option<i64>,
    known: HashSet<String>,
    /// Set once the missing group was reported.
    pub(crate) is_missing_reported: bool,
}

impl OpenLog {
    pub(crate) fn new(source: LogSource) -> OpenLog {
        OpenLog {
            source,
            waiting: VecDeque::new(),
            next: None,
            paging: None,
            is_read: false,
            newest: None,
            known: HashSet::new(),
            is_missing_reported: false,
        }
    }

    /// `true` while another page is needed before the next line is known.
    pub(crate) fn is_open(&self) -> bool {
        self.waiting.is_empty() && !self.is_read
    }

    /// Returns the start of the next round: the time of the newest line, since other lines of that time may be missing.
    pub(crate) fn start(&self, first: Option<i64>) -> Option<i64> {
        self.newest.or(first)
    }

    pub(crate) fn reopen(&mut self) {
        (self.next, self.paging, self.is_read) = (None, None, false);
    }

    /// Returns the token of the next page, after the page with `token`.
    ///
    /// # Errors
    /// When the listing would not end.
    pub(crate) fn next_page(&mut self, token: Option<String>) -> Result<Option<String>, CallError> {
        let paging = match self.paging.take() {
            Some(known) => known,
            None => Pages::default().listing()?,
        };
        self.paging.insert(paging).next(token)
    }

    /// Adds the lines of a page; `next` is the token of the next page.
    pub(crate) fn add(&mut self, mut events: Vec<LogEvent>, next: Option<String>) {
        events.sort_by_key(|event| event.timestamp);
        for event in events {
            if self.newest.is_none_or(|newest| event.timestamp > newest) {
                self.newest = Some(event.timestamp);
                self.known.clear();
            }
            // Pages and rounds may repeat lines; a line without an ID cannot be distinguished from another one.
            let is_new = event.id.is_empty() || !self.known.contains(&event.id);
            if self.newest == Some(event.timestamp) {
                self.known.insert(event.id.clone());
            }
            if is_new {
                self.waiting.push_back(event);
            }
        }
        self.is_read = next.is_none();
        self.next = next;
    }

    pub(crate) fn close(&mut self) {
        self.is_read = true;
    }
}

/// Returns the next line of all logs. Pages have to be read first until none of the logs is open.
pub(crate) fn pop(logs: &mut [OpenLog]) -> Option<(&LogSource, LogEvent)> {
    let oldest = |log: &OpenLog| log.waiting.front().map(|event| event.timestamp);
    let (at, _) =
        logs.iter().enumerate().filter_map(|(at, log)| Some((at, oldest(log)?))).min_by_key(|(_, time)| *time)?;
    let log = &mut logs[at];
    let event = log.waiting.pop_front()?;
    Some((&log.source, event))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(timestamp: i64, id: &str) -> LogEvent {
        LogEvent { timestamp, id: id.to_owned(), ..LogEvent::default() }
    }

    fn ids(logs: &mut [OpenLog]) -> Vec<String> {
        std::iter::from_fn(|| pop(logs).map(|(_, event)| event.id)).collect()
    }

    #[test]
    fn lines_of_several_groups_are_merged_by_time() {
        let mut logs = [OpenLog::new(LogSource::default()), OpenLog::new(LogSource::default())];
        logs[0].add(vec![event(1, "a"), event(5, "d")], None);
        logs[1].add(vec![event(3, "c"), event(2, "b")], Some("2".to_owned()));
        assert_eq!(pop(&mut logs).map(|(_, event)| event.id).as_deref(), Some("a"));
        assert!(!logs[1].is_open());
        assert_eq!(ids(&mut logs), ["b", "c", "d"]);
        assert!(logs[1].is_open() && !logs[0].is_open());
    }

    #[test]
    fn lines_that_are_known_are_dropped_and_none_of_their_time_is_lost() {
        let mut logs = [OpenLog::new(LogSource::default())];
        assert_eq!(logs[0].start(Some(1)), Some(1));
        logs[0].add(vec![event(1, "a"), event(2, "b")], None);
        assert_eq!((ids(&mut logs), logs[0].start(Some(1))), (vec!["a".to_owned(), "b".to_owned()], Some(2)));
        logs[0].reopen();
        logs[0].add(vec![event(2, "b"), event(2, "c"), event(3, "d")], None);
        assert_eq!(ids(&mut logs), ["c", "d"]);
        logs[0].reopen();
        logs[0].add(vec![event(3, "d"), event(3, ""), event(3, "")], None);
        assert_eq!(ids(&mut logs), ["", ""], "without an ID");
    }
}
