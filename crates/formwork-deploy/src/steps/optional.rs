//! Calls that a deployment can do without: they are tried for a short time only.

use std::time::Duration;

use formwork_aws::{CallError, CallErrorKind, Element, QueryRequest};

use crate::calls::Calls;
use crate::event_sink::EventSink;
use crate::unavailable::Unavailable;

const TRIES: usize = 3;

/// Time limit of all tries together.
const LIMIT: Duration = Duration::from_secs(10);

impl Calls {
    /// Makes a call that the endpoint may not support. An unsupported call is not made again.
    pub(crate) async fn optional(&mut self, call: QueryRequest) -> Result<Element, Unavailable> {
        if let Some(failure) = self.unsupported.get(call.action()) {
            return Err(Unavailable::Unsupported(failure.clone()));
        }
        let action = call.action();
        let answer = match tokio::time::timeout(LIMIT, self.tried(call)).await {
            Ok(answer) => answer,
            Err(_) => Err(Unavailable::Unanswered(CallError {
                kind: CallErrorKind::TimedOut,
                code: None,
                detail: None,
                status: None,
            })),
        };
        if let Err(Unavailable::Unsupported(failure)) = &answer {
            self.unsupported.insert(action, failure.clone());
        }
        answer
    }

    async fn tried(&mut self, call: QueryRequest) -> Result<Element, Unavailable> {
        let mut left = TRIES;
        loop {
            left -= 1;
            let answer = self.deadline.race(self.client.call_once(call.clone())).await.map_err(Unavailable::Ended)?;
            let failure = match answer.map_err(Unavailable::from) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            if left == 0 || !failure.passes() {
                return Err(failure);
            }
            self.deadline.pause(self.intervals.events).await.map_err(Unavailable::Ended)?;
        }
    }

    /// Returns all items of a list, page by page. A listing that does not end is reported, and used as far as it was
    /// read.
    pub(crate) async fn optional_pages(
        &mut self,
        call: QueryRequest,
        list: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Element>, Unavailable> {
        let (mut items, mut next) = (Vec::new(), None::<String>);
        let mut paging = match self.pages.listing() {
            Ok(paging) => paging,
            Err(failure) => {
                sink.incomplete(call.action(), &failure);
                return Ok(items);
            }
        };
        loop {
            let page = self.optional(call.clone().with_some("NextToken", next.as_deref())).await?;
            items.extend_from_slice(page.items(list));
            match paging.next(page.string_of("NextToken")) {
                Ok(Some(token)) => next = Some(token),
                Ok(None) => return Ok(items),
                Err(failure) => {
                    sink.incomplete(call.action(), &failure);
                    return Ok(items);
                }
            }
        }
    }
}
