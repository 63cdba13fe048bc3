//! How far something is, for clients that show it.

use serde_json::{Value, json};

use super::Server;

impl Server {
    /// Begins to show a task of the server, and returns its token.
    pub(super) fn begin_progress(&mut self, title: &str) -> Option<String> {
        if !self.view.client.can("/window/workDoneProgress") {
            return None;
        }
        let token = format!("formwork-progress-{}", self.next_request);
        self.ask("window/workDoneProgress/create", json!({"token": token}));
        self.progress(&json!(token), &json!({"kind": "begin", "title": title}));
        Some(token)
    }

    pub(super) fn end_progress(&self, token: Option<&str>) {
        if let Some(token) = token {
            self.progress(&json!(token), &json!({"kind": "end"}));
        }
    }

    pub(super) fn progress(&self, token: &Value, value: &Value) {
        self.notify("$/progress", json!({"token": token, "value": value}));
    }
}
