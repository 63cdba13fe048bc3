//! Notifications: documents, files and directories change.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_server::{Notification, RequestId};
use serde_json::{Value, json};

use super::{Server, folder_of};
use crate::document::Document;
use crate::response::{Failure, REQUEST_CANCELLED};
use crate::roots::Roots;
use crate::settings::Run;
use crate::{params, uri};

impl Server {
    pub(super) fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if !self.is_initialized || self.is_shut_down {
            return;
        }
        match method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.opened(&params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(&params),
            "textDocument/didSave" => self.saved(),
            "workspace/didChangeWatchedFiles" => self.files_changed(&params),
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params),
            "workspace/didChangeConfiguration" => match params.get("settings") {
                Some(settings) if settings.is_object() && settings.get("formwork").is_some() => {
                    self.configure([settings].into_iter());
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
        if self.pending.remove(&id).is_some() {
            self.fail(&id, Failure::new(REQUEST_CANCELLED, "the request was cancelled"));
        }
    }

    pub(super) fn opened(&mut self, params: &Value) {
        let text =
            |key: &str| params.pointer(&format!("/textDocument/{key}")).and_then(Value::as_str).unwrap_or_default();
        let uri = text("uri").to_owned();
        if formwork::percent::decoded(&uri).starts_with(uri::EXPANDED) {
            self.views.insert(uri, text("text").to_owned());
            return;
        }
        let version = params.pointer("/textDocument/version").and_then(Value::as_i64).unwrap_or(0) as i32;
        let path = uri::to_path(&uri);
        let document = Document::new(uri, version, text("languageId").to_owned(), text("text").to_owned(), &path);
        self.set(path, document);
        // A document that is opened is looked at whenever others are.
        self.diagnosed = 0;
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
        let Ok(changes) = params::read::<Changes>(params) else { return };
        let path = uri::to_path(&changes.text_document.uri);
        let Some(document) = self.view.document(&path) else { return };
        let version = changes.text_document.version.unwrap_or(document.version);
        let next = document.after(version, changes.content_changes, self.view.unit(), &path);
        self.set(path, next);
    }

    /// A document has this text from now on.
    pub(super) fn set(&mut self, path: PathBuf, document: Document) {
        self.outdate(&path);
        let text = document.text.clone();
        let mut documents = (*self.view.documents).clone();
        documents.insert(path.clone(), Arc::new(document));
        self.view.documents = Arc::new(documents);
        self.edited.insert(path.clone());
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
        if let Some((_, items)) = self.published.remove(&path)
            && !items.is_empty()
        {
            self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
        self.apply(&[(path, None)]);
    }

    pub(super) fn saved(&mut self) {
        if self.view.settings.run == Run::OnSave {
            self.diagnosed = 0;
        }
    }

    pub(super) fn files_changed(&mut self, params: &Value) {
        let changes = params.get("changes").and_then(Value::as_array);
        let uris = changes.into_iter().flatten().filter_map(|change| change.get("uri").and_then(Value::as_str));
        let paths: Vec<PathBuf> = uris.map(uri::to_path).collect();
        self.reload(paths);
    }

    /// Files of the disk changed.
    pub(super) fn reload(&mut self, paths: Vec<PathBuf>) {
        let is_created = paths.iter().any(|path| !self.view.scanned.knows(path));
        let closed: Vec<(PathBuf, Option<String>)> =
            paths.into_iter().filter(|path| self.view.document(path).is_none()).map(|path| (path, None)).collect();
        if closed.is_empty() {
            return;
        }
        self.apply(&closed);
        if is_created {
            self.scan();
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
        self.scan();
    }
}
