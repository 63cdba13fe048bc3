//! The capabilities of a client.

use formwork::ColumnUnit;
use serde_json::Value;

use crate::encoding;

#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) unit: ColumnUnit,
    capabilities: Value,
}

impl Client {
    pub(crate) fn new(capabilities: &Value) -> Client {
        Client { unit: encoding::choose(capabilities), capabilities: capabilities.clone() }
    }

    /// Returns `true` if a capability, such as `/workspace/applyEdit`, is announced: it exists and is not `false`.
    pub(crate) fn can(&self, pointer: &str) -> bool {
        self.capabilities.pointer(pointer).is_some_and(|value| !matches!(value, Value::Bool(false) | Value::Null))
    }

    pub(crate) fn creates_files(&self) -> bool {
        let list = self.capabilities.pointer("/workspace/workspaceEdit/resourceOperations").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|one| one == "create"))
            && self.can("/workspace/workspaceEdit/documentChanges")
    }

    /// Returns `true` if the client pulls diagnostics: else they are published. A client that cannot be asked to
    /// refresh would show old ones after a change of a module or of values.
    pub(crate) fn pulls(&self) -> bool {
        self.can("/textDocument/diagnostic") && self.can("/workspace/diagnostics/refreshSupport")
    }

    /// Returns `true` if the edit of a code action may be requested when the action is chosen.
    pub(crate) fn resolves_actions(&self) -> bool {
        let properties = "/textDocument/codeAction/resolveSupport/properties";
        let list = self.capabilities.pointer(properties).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|one| one == "edit"))
            && self.can("/textDocument/codeAction/dataSupport")
    }

    /// Returns `true` if the client accepts Markdown, by the capability at `pointer` that lists the formats.
    pub(crate) fn reads_markdown(&self, pointer: &str) -> bool {
        let list = self.capabilities.pointer(pointer).and_then(Value::as_array);
        list.is_none_or(|list| list.iter().any(|one| one.as_str() == Some("markdown")))
    }
}
