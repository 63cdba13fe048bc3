//! Requests at every place that a change touched.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use formwork::{ColumnUnit, LineIndex};
use serde_json::{Value, json};

use super::log::Entry;
use crate::document::{Change, Document};
use crate::encoding;
use crate::lines::Lines;
use crate::params::Range;

const METHODS: [&str; 17] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/documentLink",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "textDocument/codeAction",
    "textDocument/semanticTokens/full",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/formatting",
];

#[derive(Debug, Default)]
pub(crate) struct Probe {
    texts: BTreeMap<String, Document>,
    hasher: DefaultHasher,
    /// The text to which answers refer, by its URI.
    about: Option<(String, ColumnUnit)>,
    pub(crate) count: usize,
    /// The errors, in the form of differences.
    pub(crate) wrong: Vec<String>,
}

impl Probe {
    /// Returns the requests after a message of the client.
    pub(crate) fn after(&mut self, entry: &Entry, encoding: &str) -> Vec<(&'static str, Value)> {
        let unit = encoding::unit(encoding);
        let document = |key: &str| entry.params().pointer(&format!("/textDocument/{key}")).and_then(Value::as_str);
        let Some(uri) = document("uri").map(str::to_owned) else { return Vec::new() };
        let path = Path::new("/text");
        match entry.method() {
            Some("textDocument/didOpen") => {
                let text = document("text").unwrap_or_default().to_owned();
                self.texts.insert(uri.clone(), Document::new(uri, 0, String::new(), text.into(), path));
                Vec::new()
            }
            Some("textDocument/didChange") => {
                let changes = entry.params().get("contentChanges").cloned().unwrap_or_default();
                let Ok(changes) = serde_json::from_value::<Vec<Change>>(changes) else { return Vec::new() };
                let Some(before) = self.texts.get(&uri) else { return Vec::new() };
                let mut document = before.clone();
                let mut places = Vec::new();
                for change in changes {
                    let index = LineIndex::new(&document.text);
                    let lines = Lines { text: &document.text, index: &index, unit, mark: 0 };
                    let touched = change.range.map(|range| lines.offsets(range).0 + change.text.len() as u32);
                    document = document.after(0, vec![change], unit, path);
                    places.extend(touched);
                }
                let index = LineIndex::new(&document.text);
                let lines = Lines { text: &document.text, index: &index, unit, mark: 0 };
                let requests = places.iter().flat_map(|&offset| requests(&uri, lines.range(offset, offset))).collect();
                self.texts.insert(uri.clone(), document);
                self.about = Some((uri, unit));
                requests
            }
            _ => Vec::new(),
        }
    }

    /// Checks an answer: its places must be in the document.
    pub(crate) fn answered(&mut self, line: usize, method: &str, answer: &Value) {
        self.count += 1;
        method.hash(&mut self.hasher);
        let mut plain = answer.clone();
        if let Some(result) = plain.get_mut("result").and_then(Value::as_object_mut) {
            result.remove("resultId");
        }
        plain.to_string().hash(&mut self.hasher);
        if answer.is_null() {
            self.wrong.push(format!("{line}: {method}: : an answer | nothing"));
        }
        let Some((uri, unit)) = &self.about else { return };
        let Some(document) = self.texts.get(uri) else { return };
        let index = LineIndex::new(&document.text);
        let lines = Lines { text: &document.text, index: &index, unit: *unit, mark: 0 };
        let mut outside = Vec::new();
        places(answer, uri, uri, &mut |range| {
            let (start, end) = lines.offsets(range);
            if lines.range(start, end) != range {
                outside.push(range);
            }
        });
        let shown = outside.iter().map(|range| json!(range));
        self.wrong.extend(shown.map(|range| format!("{line}: {method}: : a place in the document | {range}")));
    }

    pub(crate) fn hash(&self) -> String {
        format!("{:016x}", self.hasher.finish())
    }
}

fn requests(uri: &str, range: Range) -> impl Iterator<Item = (&'static str, Value)> {
    let params = json!({
        "textDocument": {"uri": uri},
        "position": range.start,
        "positions": [range.start],
        "range": range,
        "newName": "Probe",
        "options": {"tabSize": 2, "insertSpaces": true},
        "context": {"includeDeclaration": true, "diagnostics": []},
    });
    METHODS.iter().map(move |method| (*method, params.clone()))
}

/// Calls `found` with every range of an answer that is about the document `main`.
fn places(value: &Value, around: &str, main: &str, found: &mut impl FnMut(Range)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| places(item, around, main, found)),
        Value::Object(members) => {
            if let Ok(range) = serde_json::from_value::<Range>(value.clone())
                && members.len() == 2
            {
                if around == main {
                    found(range);
                }
                return;
            }
            let address = |name: &str| members.get(name).and_then(Value::as_str);
            let nested = members.get("textDocument").and_then(|document| document.get("uri")).and_then(Value::as_str);
            let own = address("uri").or_else(|| address("targetUri")).or(nested).unwrap_or(around);
            for (name, value) in members {
                // The origin of a link is in the document, whatever its target.
                let about = if name == "originSelectionRange" { main } else { own };
                places(value, about, main, found);
            }
        }
        _ => {}
    }
}
