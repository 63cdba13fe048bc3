//! Recordings of sessions: a line of JSON for each message (guides/editors.md).

use formwork::display::MASK;
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::uri;

/// The placeholder for the root directory of a workspace.
pub(crate) const ROOT: &str = "${ROOT}";

pub(crate) struct Recorder {
    file: RefCell<File>,
    began: Instant,
    /// The root directory; unknown before the client has sent it.
    root: RefCell<Option<Root>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Root {
    path: String,
    in_addresses: String,
}

impl Root {
    pub(crate) fn new(path: &Path) -> Root {
        let path = path.to_string_lossy().trim_end_matches('/').to_owned();
        Root { in_addresses: uri::encode(&path), path }
    }

    /// Replaces the directory by the placeholder.
    pub(crate) fn hide(&self, value: &mut Value) {
        each_text(value, &mut |text| {
            for own in [&self.in_addresses, &self.path] {
                if own.len() > 1 && text.contains(own.as_str()) {
                    *text = text.replace(own.as_str(), ROOT);
                }
            }
        });
    }

    /// Replaces the placeholder by the directory.
    pub(crate) fn show(&self, value: &mut Value) {
        each_text(value, &mut |text| {
            for scheme in ["file://", uri::EXPANDED] {
                *text = text.replace(&format!("{scheme}{ROOT}"), &format!("{scheme}{}", self.in_addresses));
            }
            *text = text.replace(ROOT, &self.path);
        });
    }
}

fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(members) => {
            for (mut name, mut member) in std::mem::take(members) {
                change(&mut name);
                each_text(&mut member, change);
                members.insert(name, member);
            }
        }
        _ => {}
    }
}

/// The root directory in the client's `initialize`; without one, the directory of the first document.
fn root_of(message: &Value) -> Option<Root> {
    let params = message.get("params")?;
    match message.get("method")?.as_str()? {
        "initialize" => {
            let folder = params.pointer("/workspaceFolders/0/uri").or_else(|| params.get("rootUri"))?.as_str()?;
            Some(Root::new(&uri::to_path(folder)))
        }
        "textDocument/didOpen" => {
            let address = params.pointer("/textDocument/uri")?.as_str().filter(|uri| uri.starts_with("file:"))?;
            Some(Root::new(uri::to_path(address).parent()?))
        }
        _ => None,
    }
}

impl Recorder {
    /// # Errors
    /// When the file cannot be created.
    pub(crate) fn create(path: &Path) -> std::io::Result<Recorder> {
        let file = RefCell::new(File::create(path)?);
        Ok(Recorder { file, began: Instant::now(), root: RefCell::default() })
    }

    /// Adds a message. The values of parameters with the names `secrets` are masked. An error of writing is ignored.
    pub(crate) fn add(&self, from: &str, text: &str, secrets: &[String]) {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else { return };
        let is_known = self.root.borrow().is_some();
        if let Some(root) = root_of(&message).filter(|_| from == "client" && !is_known) {
            self.root.replace(Some(root));
        }
        if let Some(root) = &*self.root.borrow() {
            root.hide(&mut message);
        }
        if let Some(values) = message.pointer_mut("/params/parameters").and_then(Value::as_object_mut) {
            let secret = values.iter_mut().filter(|(name, _)| secrets.contains(name));
            secret.for_each(|(_, value)| *value = json!(MASK));
        }
        let ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = json!({"ms": ms, "from": from, "message": message});
        let _ = writeln!(self.file.borrow_mut(), "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_a_placeholder_and_secrets_are_masked() {
        let folder = tempfile::tempdir().expect("it works");
        let path = folder.path().join("log.jsonl");
        let recorder = Recorder::create(&path).expect("it works");
        let initialize =
            json!({"id": 1, "method": "initialize", "params": {"workspaceFolders": [{"uri": "file:///a%20b"}]}});
        recorder.add("client", &initialize.to_string(), &[]);
        let set = json!({"id": 2, "method": "formwork/setValues", "params": {
            "uri": "file:///a%20b/t.yaml", "parameters": {"Password": "geheim", "Env": "prod"}
        }});
        recorder.add("client", &set.to_string(), &["Password".to_owned()]);
        recorder.add("server", &json!({"id": 2, "result": {"path": "/a b/t.yaml"}}).to_string(), &[]);
        let text = std::fs::read_to_string(&path).expect("it works");
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("it works")).collect();
        assert_eq!(lines[0]["message"]["params"]["workspaceFolders"][0]["uri"], "file://${ROOT}");
        let set = &lines[1]["message"]["params"];
        assert_eq!(set, &json!({"uri": "file://${ROOT}/t.yaml", "parameters": {"Password": "****", "Env": "prod"}}));
        assert_eq!(
            (&lines[2]["from"], &lines[2]["message"]["result"]["path"]),
            (&json!("server"), &json!("${ROOT}/t.yaml"))
        );
        let mut shown = set.clone();
        Root::new(Path::new("/c d")).show(&mut shown);
        assert_eq!(shown["uri"], "file:///c%20d/t.yaml");
    }
}
