//! Messages to the client: answers, notifications, and requests of the server.

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::{Asked, Pending, Server};
use crate::response::{Failure, REQUEST_CANCELLED};
use crate::transport::Outgoing;

impl Server {
    /// Removes a request that is answered now: ends its progress and cancels its work.
    pub(super) fn take_pending(&mut self, id: &RequestId) -> Option<Pending> {
        let pending = self.pending.remove(id)?;
        pending.cancellation.cancel();
        if let Some(token) = &pending.token {
            self.progress(token, &json!({"kind": "end"}));
        }
        Some(pending)
    }

    pub(super) fn respond(&self, response: Response) {
        self.outbox.send(Outgoing::Message(Message::Response(response)));
    }

    pub(super) fn fail(&self, id: &RequestId, failure: Failure) {
        let mut response = Response::new_err(id.clone(), failure.code, failure.message);
        if let Err(error) = &mut response.response_result {
            error.data = failure.data;
        }
        self.respond(response);
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) {
        self.ask_for(method, params, Asked::Other);
    }

    pub(super) fn ask_for(&mut self, method: &str, params: Value, about: Asked) {
        self.next_request += 1;
        let id = RequestId::from(format!("formwork-{}", self.next_request));
        self.asked.insert(id.clone(), about);
        let request = Request { id, method: method.to_owned(), params };
        self.outbox.send(Outgoing::Message(Message::Request(request)));
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.outbox.send(Outgoing::Message(Message::Notification(notification)));
    }

    pub(super) fn progress(&self, token: &Value, value: &Value) {
        self.notify("$/progress", json!({"token": token, "value": value}));
    }

    pub(super) fn cancel_request(&mut self, id: &RequestId) {
        if self.take_pending(id).is_some() {
            self.fail(id, Failure::new(REQUEST_CANCELLED, "the request was cancelled"));
        }
    }
}
