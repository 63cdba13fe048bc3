//! Notifications: documents, files and directories change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::FileText;
use formwork_ide::Ide;
use lsp_server::{Notification, RequestId};
use serde_json::{Value, json};

use super::publish::hash;
use super::{Server, Shown, folder_of};
use crate::document::Document;
use crate::response::{Failure, REQUEST_CANCELLED};
use crate::roots::Roots;
use crate::settings::Run;
use crate::world::relative;
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
            "textDocument/didSave" => self.saved(),
            "workspace/didChangeWatchedFiles" => self.files_changed(&params),
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params),
            "workspace/didChangeConfiguration" => match params.get("settings") {
                Some(settings) if settings.is_object() && settings.get("formwork").is_some() => {
                    self.reconfigure([settings].into_iter());
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

    pub(super) fn cancel_request(&mut self, id: &RequestId) {
        if self.take_pending(id).is_some() {
            self.fail(id, Failure::new(REQUEST_CANCELLED, "the request was cancelled"));
        }
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
        self.set(path, document);
        // A document that is opened is looked at whenever others are.
        self.diagnostics.revision = 0;
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
        self.set(path, next);
    }

    /// A document has this text from now on.
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
        self.unsee(|known| known == path);
        if let Some((_, items)) = self.diagnostics.published.remove(&path)
            && !items.is_empty()
        {
            self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
        self.apply(&[(path, None)]);
    }

    pub(super) fn saved(&mut self) {
        if self.view.settings.run == Run::OnSave {
            self.diagnostics.revision = 0;
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
        // Of what is open, the text in the editor counts.
        let closed = paths.into_iter().filter(|path| self.view.document(path).is_none());
        let known = self.view.known();
        let changes: Vec<(PathBuf, Option<FileText>)> =
            closed.filter(|path| may_matter(path) || depends(&known, path)).map(|path| (path, None)).collect();
        if changes.is_empty() {
            return;
        }
        let is_created = |(path, _): &(PathBuf, Option<FileText>)| {
            let is_there = path.is_file();
            crate::scan::is_candidate(path) && is_there != self.view.scanned.knows(path)
        };
        let scans = changes.iter().any(is_created);
        self.apply(&changes);
        if scans {
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

/// Whether a file may be a template, a module, values, a configuration or an archive of modules. Others are read as far as a
/// template depends on them.
fn may_matter(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    crate::scan::is_candidate(path) || ["toml", "lock", "zip"].contains(&extension.as_str())
}

/// Whether a template that is known has read a file, or missed it.
fn depends(known: &[(PathBuf, Arc<Ide<'static>>)], path: &Path) -> bool {
    known.iter().any(|(root, ide)| {
        let own = relative(path, root.parent().unwrap_or(Path::new("/")));
        let dependencies = ide.compilation().dependencies();
        dependencies.found.contains(&own) || dependencies.missing.contains(&own)
    })
}
