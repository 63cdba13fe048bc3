//! Notifications: documents, files and directories change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{Notification, RequestId};
use serde_json::{Value, json};

use super::publish::hash;
use super::{Server, Shown, folder_of};
use crate::document::Document;
use crate::roots::Roots;
use crate::settings::CheckTrigger;
use crate::{handlers, params, uri};

impl Server {
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if !self.is_initialized || self.is_shut_down {
            return;
        }
        match method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.opened(params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(&params),
            "textDocument/didSave" => self.saved(&params),
            "workspace/didChangeWatchedFiles" => self.files_changed(&params),
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params),
            "workspace/didChangeConfiguration" => match params.get("settings") {
                Some(settings) if settings.is_object() && settings.get("formwork").is_some() => {
                    self.reconfigure(settings);
                }
                _ => self.ask_for_configuration(),
            },
            "formwork/trust" => {
                let is_trusted = params.get("trusted").and_then(Value::as_bool).unwrap_or(false);
                let roots = Roots { is_trusted, ..(*self.view.roots).clone() };
                self.set_roots(roots);
                self.refresh_all();
            }
            "$/cancelRequest" => self.cancel(&params),
            "window/workDoneProgress/cancel" => self.cancel_progress(&params),
            _ => {}
        }
    }

    pub(super) fn cancel(&mut self, params: &Value) {
        let id = match params.get("id") {
            Some(Value::String(text)) => RequestId::from(text.clone()),
            Some(Value::Number(number)) => match number.as_i64().and_then(|number| i32::try_from(number).ok()) {
                Some(number) => RequestId::from(number),
                None => return,
            },
            _ => return,
        };
        self.cancel_request(&id);
    }

    pub(super) fn opened(&mut self, params: Value) {
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Opened {
            uri: String,
            #[serde(default)]
            language_id: String,
            #[serde(default)]
            version: i32,
            text: String,
        }
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Params {
            text_document: Opened,
        }
        let opened = match params::read::<Params>(params) {
            Ok(params) => params.text_document,
            Err(why) => return self.log.line(&format!("textDocument/didOpen: {}", why.message)),
        };
        let Opened { uri, language_id, version, text } = opened;
        if handlers::expanded::is_view(&uri) {
            self.views.insert(uri, Shown::Text(hash(&text)));
            return;
        }
        let path = uri::to_path(&uri);
        let document = Document::new(uri, version, language_id, text.into(), &path);
        self.set_unsaved(&path, false);
        self.set(path, document);
    }

    pub(super) fn changed(&mut self, params: Value) {
        #[derive(serde::Deserialize)]
        struct Versioned {
            uri: String,
            version: Option<i32>,
        }
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Changes {
            text_document: Versioned,
            content_changes: Vec<crate::document::Change>,
        }
        let changes = match params::read::<Changes>(params) {
            Ok(changes) => changes,
            Err(why) => return self.log.line(&format!("textDocument/didChange: {}", why.message)),
        };
        let path = uri::to_path(&changes.text_document.uri);
        let Some(document) = self.view.document(&path) else { return };
        let version = changes.text_document.version.unwrap_or(document.version);
        let next = document.after(version, changes.content_changes, self.view.unit(), &path);
        self.set_unsaved(&path, true);
        self.set(path, next);
    }

    pub(super) fn set(&mut self, path: PathBuf, document: Document) {
        self.outdate(&path);
        let text = document.text.clone();
        let mut documents = (*self.view.documents).clone();
        documents.insert(path.clone(), Arc::new(document));
        self.view.documents = Arc::new(documents);
        self.diagnostics.edited.insert(path.clone());
        self.apply(&[(path, Some(text))]);
    }

    pub(super) fn closed(&mut self, params: &Value) {
        let Some(uri) = params::document_of(params) else { return };
        if self.views.remove(uri).is_some() {
            return;
        }
        let path = uri::to_path(uri);
        self.outdate(&path);
        let mut documents = (*self.view.documents).clone();
        if documents.remove(&path).is_none() {
            return;
        }
        self.view.documents = Arc::new(documents);
        self.set_unsaved(&path, false);
        let published = Arc::make_mut(&mut self.diagnostics.published).remove(&path);
        if published.is_some_and(|published| !published.items.is_empty()) {
            self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
        self.apply(&[(path, None)]);
    }

    fn set_unsaved(&mut self, path: &Path, is_unsaved: bool) {
        if self.view.unsaved.contains(path) != is_unsaved {
            let mut unsaved = (*self.view.unsaved).clone();
            if is_unsaved {
                unsaved.insert(path.to_owned());
            } else {
                unsaved.remove(path);
            }
            self.view.unsaved = Arc::new(unsaved);
        }
    }

    pub(super) fn saved(&mut self, params: &Value) {
        if let Some(uri) = params::document_of(params) {
            let path = uri::to_path(uri);
            self.set_unsaved(&path, false);
            if self.run_of(&path) == CheckTrigger::OnSave {
                self.refresh(&["/workspace/diagnostics/refreshSupport"]);
            }
        }
        if self.view.documents.keys().any(|path| self.run_of(path) == CheckTrigger::OnSave) {
            self.diagnostics.is_wanted = true;
        }
    }

    pub(super) fn folders_changed(&mut self, params: &Value) {
        let of = |key: &str| -> Vec<PathBuf> {
            let folders = params.pointer(&format!("/event/{key}")).and_then(Value::as_array);
            folders.into_iter().flatten().filter_map(folder_of).collect()
        };
        let (added, removed) = (of("added"), of("removed"));
        let mut roots = (*self.view.roots).clone();
        roots.folders.retain(|folder| !removed.contains(folder));
        roots.folders.extend(added);
        self.set_roots(roots);
        self.watch();
        // Those of the new directories.
        self.ask_for_configuration();
        self.scan();
    }
}
