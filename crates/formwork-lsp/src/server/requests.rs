//! Requests: those that are answered here, and those that go to the pool.

use std::panic::AssertUnwindSafe;

use lsp_server::{Request, RequestId, Response};
use serde_json::{Value, json};

use super::context::Selection;
use super::{Asked, Counts, Event, Pending, Server, Shown, memory, ok};
use crate::handlers::Answered;
use crate::response::{Answer, Failure, INTERNAL_ERROR, INVALID_REQUEST, NOT_INITIALIZED};
use crate::transport::Outgoing;
use crate::{handlers, params, uri};

impl Server {
    pub(super) fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        self.counts.requests += 1;
        if self.is_shut_down {
            return self.fail(&id, Failure::new(INVALID_REQUEST, "the server was shut down"));
        }
        match (method.as_str(), self.is_initialized) {
            ("initialize", false) => {
                let result = self.initialize(&params);
                return self.respond(ok(id, result));
            }
            ("initialize", true) => return self.fail(&id, Failure::new(INVALID_REQUEST, "it is initialized already")),
            (_, false) => return self.fail(&id, Failure::new(NOT_INITIALIZED, "the server is not initialized")),
            ("shutdown", true) => {
                self.is_shut_down = true;
                return self.respond(ok(id, Value::Null));
            }
            _ => {}
        }
        if let Some(answer) = self.own_request(&method, &params) {
            return match answer {
                Ok(value) => self.respond(ok(id, value)),
                Err(failure) => self.fail(&id, failure),
            };
        }
        let is_command = |name: &str| params.get("command").and_then(Value::as_str) == Some(name);
        if method == "workspace/executeCommand" && is_command("formwork.selectContext") {
            return match Selection::of(&params) {
                Ok(selection) => {
                    self.pending.insert(id.clone(), Pending::new(&method, None));
                    self.find_contexts(id, selection);
                }
                Err(failure) => self.fail(&id, failure),
            };
        }
        let Some(handler) = handlers::find(&method) else {
            let failure = Failure::new(crate::response::METHOD_NOT_FOUND, format!("unknown method {method}"));
            return self.fail(&id, failure);
        };
        let document = params::document_of(&params).map(uri::to_path);
        let token = params.get("workDoneToken").filter(|token| !token.is_null()).cloned();
        if let Some(token) = &token {
            self.progress(token, &json!({"kind": "begin", "title": "Formwork"}));
        }
        let pending = Pending { token, ..Pending::new(&method, document) };
        let view = self.view.until(&pending.cancellation);
        self.pending.insert(id.clone(), pending);
        let (events, log) = (self.events.clone(), self.log.clone());
        self.pool.run(move || {
            let answer = std::panic::catch_unwind(AssertUnwindSafe(|| handler.answer(&view, params)));
            let answer = answer.unwrap_or_else(|_| {
                log.line(&format!("a handler of {method} panicked"));
                Err(Failure::new(INTERNAL_ERROR, "internal error: see the log"))
            });
            let _ = events.send(Event::Answered(id, answer));
        });
    }

    /// Answers requests that change the state, or are about it.
    pub(super) fn own_request(&mut self, method: &str, params: &Value) -> Option<Answer> {
        match method {
            "formwork/setValues" => Some(self.set_values(params)),
            "formwork/status" => {
                let (parses, compiles) = self.view.world.counts();
                let Counts { requests, panics } = self.counts;
                let rss_kb = memory();
                Some(Ok(json!({
                    "parses": parses, "compiles": compiles, "panics": panics, "requests": requests, "rss_kb": rss_kb
                })))
            }
            "workspace/executeCommand" => {
                let is = |name: &str| params.get("command").and_then(Value::as_str) == Some(name);
                let argument = |at: usize| params.pointer(&format!("/arguments/{at}")).cloned().unwrap_or(Value::Null);
                if is("formwork.setValues") {
                    return Some(self.set_values(&json!({"uri": argument(0), "id": argument(1)})));
                }
                if is("formwork.selectValues") {
                    return Some(self.select_values(&argument(0)));
                }
                if is("formwork.showExpansion") {
                    let shown = handlers::commands::view_of(&self.view, params);
                    return Some(shown.map(|uri| self.show(&uri)));
                }
                None
            }
            "workspace/textDocumentContent" | "formwork/expanded" => {
                let uri = params.get("uri").and_then(Value::as_str).filter(|uri| handlers::expanded::is_view(uri))?;
                self.views.entry(uri.to_owned()).or_insert(Shown::At(self.view.revision));
                None
            }
            _ => None,
        }
    }

    /// Shows a view, if the client supports that and does not do it by itself.
    pub(super) fn show(&mut self, uri: &str) -> Value {
        let client = &self.view.client;
        if client.can("/window/showDocument/support") && !client.can("/experimental/formworkShowsExpansion") {
            self.ask("window/showDocument", json!({"uri": uri, "takeFocus": false}));
        }
        json!({"uri": uri})
    }

    pub(super) fn select_values(&mut self, uri: &Value) -> Answer {
        let uri = uri.as_str().ok_or_else(|| Failure::params("no document"))?;
        let sets = handlers::values::sets_of(&self.view, &uri::to_path(uri));
        let actions: Vec<Value> = sets.iter().map(|set| json!({"title": set.label})).collect();
        let params = json!({"type": 3, "message": "Values for this template", "actions": actions});
        let choices = sets.into_iter().map(|set| (set.label, set.id)).collect();
        self.ask_for("window/showMessageRequest", params, Asked::Values(uri.to_owned(), choices));
        Ok(Value::Null)
    }

    pub(super) fn answered(&mut self, id: &RequestId, answer: Result<Answered, Failure>) {
        // A request that was cancelled, or is about a text that changed, has its answer.
        if self.take_pending(id).is_none() {
            return;
        }
        match answer {
            Ok(Answered::Value(value)) => self.respond(ok(id.clone(), value)),
            Ok(Answered::Written(text)) => self.outbox.send(Outgoing::Written(id.clone(), text)),
            Err(failure) => {
                if failure.code == INTERNAL_ERROR {
                    self.counts.panics += 1;
                }
                self.fail(id, failure);
            }
        }
    }

    pub(super) fn response(&mut self, response: Response) {
        let about = self.asked.remove(&response.id);
        match (about, response.response_result) {
            (Some(Asked::Configuration(folders)), Ok(Value::Array(sections))) => self.configured(folders, &sections),
            (Some(Asked::Values(uri, choices)), Ok(chosen)) => {
                let title = chosen.get("title").and_then(Value::as_str).unwrap_or_default();
                if let Some((_, id)) = choices.iter().find(|(label, _)| label == title) {
                    // The set existed when it was offered.
                    let _ = self.set_values(&json!({"uri": uri, "id": id}));
                }
            }
            (Some(Asked::Context(module, choices)), Ok(chosen)) => {
                let title = chosen.get("title").and_then(Value::as_str).unwrap_or_default();
                if let Some((_, context)) = choices.into_iter().find(|(label, _)| label == title) {
                    self.select_context(module, context);
                }
            }
            _ => {}
        }
    }
}
