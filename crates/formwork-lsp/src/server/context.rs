//! `formwork.selectContext`: selects the context of a module.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_server::RequestId;
use serde_json::{Value, json};

use super::{Asked, Event, Server};
use crate::context::{Context, contexts};
use crate::document::name_of;
use crate::response::Failure;
use crate::uri;

/// The selection of a client: a module, and the context if it has one.
pub(super) struct Selection {
    module: PathBuf,
    context: Option<(PathBuf, String)>,
}

impl Selection {
    /// Reads the arguments of the command: the module, then the file and the import if the client has asked already.
    ///
    /// # Errors
    /// When the document is missing.
    pub(super) fn of(params: &Value) -> Result<Selection, Failure> {
        let argument = |at: usize| params.pointer(&format!("/arguments/{at}")).and_then(Value::as_str);
        let module = argument(0).ok_or_else(|| Failure::params("no document"))?;
        let context = argument(1).zip(argument(2));
        let context = context.map(|(root, instance)| (uri::to_path(root), instance.to_owned()));
        Ok(Selection { module: uri::to_path(module), context })
    }
}

impl Server {
    /// Finds the contexts of a module in the pool: templates may have to be compiled.
    pub(super) fn find_contexts(&self, id: RequestId, selection: Selection) {
        let (view, events) = (self.view.clone(), self.events.clone());
        self.pool.run(move || {
            let found = contexts(&view, &selection.module);
            let _ = events.send(Event::Contexts(id, selection, found));
        });
    }

    pub(super) fn contexts_found(
        &mut self,
        id: &RequestId,
        selection: Selection,
        found: Result<Vec<Context>, Failure>,
    ) {
        if self.take_pending(id).is_none() {
            return;
        }
        let found = match found {
            Ok(found) => found,
            Err(failure) => return self.fail(id, failure),
        };
        let Selection { module, context } = selection;
        if let Some(context) = context {
            if !found.iter().any(|one| (&one.root, &one.instance) == (&context.0, &context.1)) {
                let words = format!("{} does not import the module as {}", name_of(&context.0), context.1);
                return self.fail(id, Failure::params(words));
            }
            self.select_context(module, context);
        } else if found.is_empty() {
            let words = "No template of the workspace imports this file.";
            self.notify("window/showMessage", json!({"type": 3, "message": words}));
        } else {
            let folder = self.view.roots.folder_of(&module).map(PathBuf::from).unwrap_or_default();
            let choices: Vec<(String, (PathBuf, String))> = found
                .into_iter()
                .map(|one| {
                    let file = one.root.strip_prefix(&folder).unwrap_or(&one.root).display().to_string();
                    (format!("{} in {file}", one.instance), (one.root, one.instance))
                })
                .collect();
            let actions: Vec<Value> = choices.iter().map(|(label, _)| json!({"title": label})).collect();
            let params = json!({"type": 3, "message": "Context of this module", "actions": actions});
            self.ask_for("window/showMessageRequest", params, Asked::Context(module, choices));
        }
        self.respond(super::ok(id.clone(), Value::Null));
    }

    /// Sets the context of a module, in memory only.
    pub(super) fn select_context(&mut self, module: PathBuf, context: (PathBuf, String)) {
        let mut all = (*self.view.contexts).clone();
        all.insert(module, context);
        self.view.contexts = Arc::new(all);
        self.next();
        self.refresh_all();
    }
}
