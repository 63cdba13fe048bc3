//! Progress reports, for clients that show them.

use std::time::{Duration, Instant};

use lsp_server::RequestId;
use serde_json::{Value, json};

use super::{Server, Slow};

/// Tasks that take longer are shown.
const PATIENCE: Duration = Duration::from_millis(500);

impl Server {
    /// Begins to show a task of the server, and returns its token.
    pub(super) fn begin_progress(&mut self, title: &str, is_cancellable: bool) -> Option<String> {
        if !self.shows_progress() {
            return None;
        }
        let token = format!("formwork-progress-{}", self.next_request);
        self.ask("window/workDoneProgress/create", json!({"token": token}));
        let mut begin = json!({"kind": "begin", "title": title});
        if is_cancellable {
            begin["cancellable"] = json!(true);
        }
        self.progress(&json!(token), &begin);
        Some(token)
    }

    /// Ends the progress of a task, with a short description of its result.
    pub(super) fn end_progress(&self, token: Option<&str>, words: Option<&str>) {
        let Some(token) = token else { return };
        if let Some(words) = words {
            self.progress(&json!(token), &json!({"kind": "report", "message": words}));
        }
        self.progress(&json!(token), &json!({"kind": "end"}));
    }

    fn shows_progress(&self) -> bool {
        self.view.client.can("/window/workDoneProgress")
    }

    /// The time at which the next task is to be shown, if it is not done before.
    pub(super) fn slow_at(&self) -> Option<Instant> {
        if !self.shows_progress() {
            return None;
        }
        let requests = self.pending.values().filter(|pending| pending.token.is_none()).map(|pending| pending.since);
        let compiling = match self.diagnostics.compiling {
            Slow::NotYet(since) => Some(since),
            Slow::No | Slow::Shown(_) => None,
        };
        requests.chain(compiling).min().map(|since| since + PATIENCE)
    }

    pub(super) fn show_what_is_slow(&mut self) {
        let now = Instant::now();
        let is_slow = |since: Instant| now >= since + PATIENCE;
        let slow = self.pending.iter().filter(|(_, pending)| pending.token.is_none() && is_slow(pending.since));
        let ids: Vec<RequestId> = slow.map(|(id, _)| id.clone()).collect();
        for id in ids {
            let token = self.begin_progress("Formwork: computing an answer", true);
            if let Some(pending) = self.pending.get_mut(&id) {
                pending.token = token.map(Value::String);
            }
        }
        if matches!(self.diagnostics.compiling, Slow::NotYet(since) if is_slow(since)) {
            let token = self.begin_progress("Formwork: checking", false);
            self.diagnostics.compiling = token.map_or(Slow::No, Slow::Shown);
        }
    }

    pub(super) fn end_compiling(&mut self) {
        if let Slow::Shown(token) = std::mem::replace(&mut self.diagnostics.compiling, Slow::No) {
            self.end_progress(Some(&token), None);
        }
    }

    pub(super) fn cancel_progress(&mut self, params: &Value) {
        let Some(token) = params.get("token") else { return };
        let found = self.pending.iter().find(|(_, pending)| pending.token.as_ref() == Some(token));
        if let Some(id) = found.map(|(id, _)| id.clone()) {
            self.cancel_request(&id);
        }
    }
}
