//! The beginning: what both can do, roots and settings.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Asked, Event, Server, folder_of};
use crate::client::Client;
use crate::roots::Roots;
use crate::scan::Scanned;
use crate::settings::Run;
use crate::{capabilities, parent_process, uri};

impl Server {
    pub(super) fn initialize(&mut self, params: &Value) -> Value {
        let client = Client::new(params.get("capabilities").unwrap_or(&Value::Null));
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let mut folders: Vec<PathBuf> = folders.into_iter().flatten().filter_map(folder_of).collect();
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(Value::as_str).map(uri::to_path));
        }
        let options = params.get("initializationOptions").unwrap_or(&Value::Null);
        self.is_trusted |= options.get("trusted").and_then(Value::as_bool).unwrap_or(false);
        let process = params.get("processId").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
        if let Some(process) = process {
            let events = self.events.clone();
            parent_process::watch(process, move || {
                let _ = events.send(Event::Orphaned);
            });
        }
        let capabilities = capabilities::capabilities(&client);
        self.view.client = Arc::new(client);
        self.is_initialized = true;
        self.view.roots = Arc::new(Roots { folders, is_trusted: self.is_trusted, project_root: None });
        if options.is_object() {
            self.configure([options].into_iter());
        }
        json!({
            "capabilities": capabilities,
            "serverInfo": {"name": "formwork", "version": env!("CARGO_PKG_VERSION")}
        })
    }

    pub(super) fn initialized(&mut self) {
        let client = Arc::clone(&self.view.client);
        if client.can("/workspace/didChangeWatchedFiles/dynamicRegistration") {
            self.watches = true;
            let watchers = json!([{"globPattern": "**/*"}]);
            let registration = json!({
                "id": "formwork-files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers}
            });
            self.ask("client/registerCapability", json!({"registrations": [registration]}));
        }
        if client.can("/workspace/didChangeConfiguration/dynamicRegistration") {
            let registration = json!({
                "id": "formwork-configuration",
                "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": "formwork"}
            });
            self.ask("client/registerCapability", json!({"registrations": [registration]}));
        }
        self.ask_for_configuration();
        self.scan();
    }

    pub(super) fn ask_for_configuration(&mut self) {
        if self.view.client.can("/workspace/configuration") {
            let params = json!({"items": [{"section": "formwork"}]});
            self.ask_for("workspace/configuration", params, Asked::Configuration);
        }
    }

    /// Looks for templates. Who asks while that is done waits for the next time.
    pub(super) fn scan(&mut self) {
        if std::mem::replace(&mut self.is_scanning, true) {
            self.scans_again = true;
            return;
        }
        let scanned = Arc::new(Scanned::new(Arc::clone(&self.view.roots)));
        self.view.scanned = Arc::clone(&scanned);
        let token = self.begin_progress("Looking for templates", false);
        let events = self.events.clone();
        self.pool.run(move || {
            scanned.look();
            let _ = events.send(Event::Scanned(token));
        });
    }

    pub(super) fn scanned(&mut self, token: Option<&str>) {
        let count = self.view.scanned.templates().count();
        let words = if count == 1 { "1 template".to_owned() } else { format!("{count} templates") };
        self.end_progress(token, Some(&words));
        self.is_scanning = false;
        if std::mem::take(&mut self.scans_again) {
            self.scan();
        }
    }

    /// Takes over settings that changed, and lets the client ask again.
    pub(super) fn reconfigure<'v>(&mut self, sections: impl Iterator<Item = &'v Value>) {
        if self.configure(sections) {
            self.refresh_all();
        }
    }

    /// Takes over settings. Returns whether they are others than before.
    fn configure<'v>(&mut self, sections: impl Iterator<Item = &'v Value>) -> bool {
        let mut settings = (*self.view.settings).clone();
        let wrong: Vec<String> = sections.flat_map(|section| settings.merge(section)).collect();
        for why in wrong {
            self.notify("window/logMessage", json!({"type": 2, "message": why}));
        }
        if settings == *self.view.settings {
            return false;
        }
        let mut roots = (*self.view.roots).clone();
        roots.project_root = settings.project_root.as_ref().map(PathBuf::from);
        let is_off = settings.run == Run::Off;
        self.view.settings = Arc::new(settings);
        self.set_roots(roots);
        if is_off {
            self.unpublish();
        }
        true
    }

    pub(super) fn set_roots(&mut self, roots: Roots) {
        if *self.view.roots == roots {
            self.view.world.forget_options();
        } else {
            self.view.roots = Arc::new(roots);
            self.view.world.forget();
        }
        self.next();
    }
}
