//! Renaming every name of the examples: applied, and compared with a fresh run.

use std::path::Path;

use formwork::{DiskHost, Goal, Limits, Options, Session, VirtualPath};
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::edits::templates;
use crate::readable::Texts;

/// The data of the expansion of a text.
fn expanded(path: &Path, text: &str) -> Option<String> {
    let folder = path.parent().unwrap();
    let host = DiskHost::new(folder, Some(folder), Limits::default().file_bytes).unwrap();
    let session = Session::new(host, Options::default());
    let root = VirtualPath::new(&path.file_name().unwrap().to_string_lossy());
    session.set_file(&root, text.to_owned());
    let compiled = session.compile(root.as_str(), Goal::Expand);
    compiled.output().ok().map(formwork::Output::minified)
}

fn names(symbols: &Value, found: &mut Vec<(String, Value)>) {
    for symbol in symbols.as_array().into_iter().flatten() {
        let name = symbol["name"].as_str().unwrap().to_owned();
        let start = &symbol["selectionRange"]["start"];
        // What a loop or import generates is at its place.
        if symbol["kind"] != 3 && !found.iter().any(|(_, known)| known == start) {
            found.push((name, start.clone()));
        }
        names(&symbol["children"], found);
    }
}

#[test]
fn every_renaming_leaves_the_same_template() {
    let mut renamed = 0;
    for path in templates() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut client = Client::in_folder(path.parent().unwrap(), "utf-16", true);
        client.open(&path, &text);
        let document = json!({"textDocument": {"uri": uri(&path)}});
        let symbols = client.request("textDocument/documentSymbol", document).unwrap();
        let mut all = Vec::new();
        names(&symbols, &mut all);
        let before = expanded(&path, &text);
        for (name, position) in all {
            let params = json!({"textDocument": {"uri": uri(&path)}, "position": position, "newName": "Renamed77"});
            // Some names are refused, with a reason.
            let Ok(edit) = client.request("textDocument/rename", params) else { continue };
            let changes = edit["documentChanges"].as_array().unwrap();
            if changes.len() != 1 {
                continue;
            }
            let texts = Texts {
                unit: formwork::ColumnUnit::Utf16,
                main: uri(&path),
                texts: [(uri(&path), text.clone())].into(),
                legend: Value::Null,
            };
            let after = texts.applied(&uri(&path), changes[0]["edits"].as_array().unwrap());
            let after = expanded(&path, &after).map(|after| after.replace("Renamed77", &name));
            assert!(before == after, "{name} of {}", path.display());
            renamed += 1;
        }
        client.shut_down();
    }
    assert!(renamed > 50, "{renamed}");
}

#[cfg(unix)]
#[test]
fn a_name_in_a_file_that_is_write_protected_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let module = "Resources:\n  Topic: {Type: AWS::SNS::Topic}\nOutputs:\n  Out: {Value: !Ref Topic}\n";
    let root = "Modules:\n  Net: {Source: ./net.yaml}\nOutputs:\n  O: {Value: !GetAtt Net.Out}\n";
    let folder = crate::client::Folder::new(&[("net.yaml", module), ("t.yaml", root)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, root);
    let place = json!({"line": 3, "character": 26});
    let params = json!({"textDocument": {"uri": uri(&path)}, "position": place, "newName": "Other"});
    assert!(client.request("textDocument/rename", params.clone()).is_ok());
    let net = folder.path.join("net.yaml");
    std::fs::set_permissions(&net, std::fs::Permissions::from_mode(0o444)).unwrap();
    let refused = client.request("textDocument/rename", params).unwrap_err();
    assert!(refused.message.ends_with("net.yaml is write-protected"), "{}", refused.message);
    client.shut_down();
}
