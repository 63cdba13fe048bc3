//! Initialization: capabilities, roots and settings.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Event, Server, folder_of};
use crate::client::Client;
use crate::roots::Roots;
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
        self.view.roots = Arc::new(Roots { folders, is_trusted: self.is_trusted, ..Roots::default() });
        self.configure_first(options);
        json!({
            "capabilities": capabilities,
            "serverInfo": {"name": "formwork", "version": env!("CARGO_PKG_VERSION")}
        })
    }

    pub(super) fn initialized(&mut self) {
        let client = Arc::clone(&self.view.client);
        self.watch();
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
}
