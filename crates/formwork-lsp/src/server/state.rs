//! Transitions from one state to the next.

use std::path::{Path, PathBuf};

use formwork::FileText;
use lsp_server::{Message, RequestId};
use serde_json::{Value, json};

use super::{Pending, Server};
use crate::at::At;
use crate::response::{CONTENT_MODIFIED, Failure, SERVER_CANCELLED};
use crate::settings::CheckTrigger;

impl Server {
    /// Applies changes of files to the sessions, and begins the next state.
    pub(super) fn apply(&mut self, changes: &[(PathBuf, Option<FileText>)]) {
        self.view.world.apply(changes, &self.view.documents);
        self.next();
    }

    pub(super) fn next(&mut self) {
        self.view.slots = self.view.next_slots();
        self.view.revision += 1;
    }

    /// Answers requests about a document that changes with an error: they were about another text.
    pub(super) fn outdate(&mut self, path: &Path) {
        let is_about = |pending: &Pending| pending.document.as_deref() == Some(path);
        let ids: Vec<RequestId> =
            self.pending.iter().filter(|(_, pending)| is_about(pending)).map(|(id, _)| id.clone()).collect();
        for id in ids {
            let Some(pending) = self.take_pending(&id) else { continue };
            if pending.method == "textDocument/diagnostic" {
                let data = Some(json!({"retriggerRequest": true}));
                let failure = Failure { data, ..Failure::new(SERVER_CANCELLED, "the document changed") };
                self.fail(&id, failure);
            } else {
                self.fail(&id, Failure::new(CONTENT_MODIFIED, "the document changed"));
            }
        }
    }

    /// The names of the parameters whose values in a message are secret: all of them when the template is not known.
    pub(super) fn secret_names(&self, message: &Message) -> Vec<String> {
        let Message::Request(request) = message else { return Vec::new() };
        let Some(given) = request.params.get("parameters").and_then(Value::as_object) else { return Vec::new() };
        let uri = request.params.get("uri").and_then(Value::as_str).unwrap_or_default();
        let at = At::of(&self.view, uri).ok().flatten();
        let known = at.map(|at| formwork_ide::values::parameters(&at.ide)).unwrap_or_default();
        let is_shown = |name: &String| known.iter().any(|state| state.name == *name && !state.no_echo);
        given.keys().filter(|name| !is_shown(name)).cloned().collect()
    }

    pub(super) fn run_of(&self, path: &Path) -> CheckTrigger {
        self.view.settings_of(path).run
    }
}
