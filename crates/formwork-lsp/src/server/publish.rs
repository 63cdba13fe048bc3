//! Diagnostics, and what clients ask again.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::{Value, json};

use super::{Event, Server};
use crate::settings::Run;
use crate::{diagnostics, handlers};

impl Server {
    /// Computes the diagnostics of open documents, when they are not those of this state.
    pub(super) fn diagnose(&mut self) {
        let is_due = self.diagnosed < self.view.revision && !self.is_compiling && self.is_initialized;
        let waits = match self.view.settings.run {
            Run::OnType => false,
            Run::OnSave => self.diagnosed != 0 && self.diagnosed != 1,
            Run::Off => true,
        };
        if !is_due || waits || self.is_shut_down {
            return;
        }
        self.is_compiling = true;
        let (view, events, log) = (self.view.clone(), self.events.clone(), self.log.clone());
        let revision = view.revision;
        self.compiler.run(move || {
            let mut found = Vec::new();
            for (path, document) in &*view.documents {
                let items = std::panic::catch_unwind(AssertUnwindSafe(|| diagnostics::of_document(&view, path)));
                match items {
                    Ok(Ok(items)) => found.push((path.clone(), document.version, items)),
                    // A later state has its own.
                    Ok(Err(_)) => break,
                    Err(_) => log.line("a check panicked"),
                }
            }
            let _ = events.send(Event::Diagnosed(revision, found));
        });
    }

    pub(super) fn publish(&mut self, revision: u64, found: Vec<(PathBuf, i32, Vec<Value>)>) {
        self.is_compiling = false;
        if revision == self.view.revision {
            self.diagnosed = revision;
        }
        let mut is_other_changed = false;
        for (path, version, items) in found {
            let Some(document) = self.view.document(&path).filter(|document| document.version == version) else {
                continue;
            };
            let known = self.published.get(&path);
            let is_known = known.is_some_and(|(of, known)| *of == version && *known == items);
            let is_new_to_nobody = known.is_none() && items.is_empty() && !document.is_template();
            if is_known || is_new_to_nobody {
                continue;
            }
            let has_changed = known.is_none_or(|(_, known)| *known != items);
            is_other_changed |= has_changed && !self.edited.contains(&path);
            if !self.view.client.pulls() {
                let params = json!({"uri": document.uri, "version": version, "diagnostics": items});
                self.notify("textDocument/publishDiagnostics", params);
            }
            self.published.insert(path, (version, items));
        }
        if self.diagnosed == self.view.revision {
            self.edited.clear();
            if is_other_changed {
                self.refresh(&["/workspace/diagnostics/refreshSupport"]);
            }
            self.refresh_views();
        }
    }

    /// Notifies the client that open views have another text.
    pub(super) fn refresh_views(&mut self) {
        let uris: Vec<String> = self.views.keys().cloned().collect();
        for uri in uris {
            let Ok(Some(text)) = handlers::expanded::text_of(&self.view, &uri) else { continue };
            let known = self.views.insert(uri.clone(), text.clone());
            if known.is_some_and(|known| known != text) && self.view.client.can("/workspace/textDocumentContent") {
                self.ask("workspace/textDocumentContent/refresh", json!({"uri": uri}));
            }
        }
    }

    pub(super) fn refresh_all(&mut self) {
        self.refresh(&[
            "/workspace/diagnostics/refreshSupport",
            "/workspace/inlayHint/refreshSupport",
            "/workspace/codeLens/refreshSupport",
            "/workspace/semanticTokens/refreshSupport",
        ]);
    }

    /// Asks the client to ask again, where it can.
    pub(super) fn refresh(&mut self, capabilities: &[&str]) {
        for capability in capabilities {
            if !self.view.client.can(capability) {
                continue;
            }
            let feature = capability.split('/').nth(2).unwrap_or_default();
            let feature = if feature == "diagnostics" { "diagnostic" } else { feature };
            self.ask(&format!("workspace/{feature}/refresh"), Value::Null);
        }
    }

    /// Looks at the files that open documents depend on, where the client does not watch them.
    pub(super) fn look_at_files(&mut self) {
        if self.watches || !self.is_initialized {
            return;
        }
        let mut times = BTreeMap::new();
        for (path, ide) in self.view.known() {
            let folder = path.parent().unwrap_or(Path::new("/"));
            let dependencies = ide.compilation().dependencies();
            for file in dependencies.found.iter().chain(&dependencies.missing) {
                let file = crate::world::absolute(file, folder);
                let metadata = std::fs::metadata(&file).ok();
                let time = metadata.and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
                times.insert(file, time);
            }
        }
        let is_changed = |(path, time): &(&PathBuf, &Option<(SystemTime, u64)>)| {
            self.times.get(*path).is_some_and(|known| known != *time)
        };
        let changed: Vec<PathBuf> = times.iter().filter(is_changed).map(|(path, _)| path.clone()).collect();
        self.times = times;
        self.reload(changed);
    }
}
