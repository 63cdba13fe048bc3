//! Requests to the client to refresh.

use serde_json::Value;

use super::Server;

impl Server {
    pub(super) fn refresh_all(&mut self) {
        self.refresh(&[
            "/workspace/diagnostics/refreshSupport",
            "/workspace/inlayHint/refreshSupport",
            "/workspace/codeLens/refreshSupport",
            "/workspace/semanticTokens/refreshSupport",
        ]);
    }

    /// Asks the client to refresh these capabilities, if it supports that.
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
}
