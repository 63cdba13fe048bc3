//! Messages about the life of the server, in orders that clients send them.

use std::path::Path;
use std::time::{Duration, Instant};

use formwork_lsp::Options;
use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

const GOOD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
const BAD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Foo: 1\n";

#[test]
fn requests_before_and_after_its_life_fail() {
    let mut client = Client::start(Options::default());
    assert_eq!(client.request("textDocument/hover", json!({})).unwrap_err().code, -32002);
    client.initialize(Path::new("/nowhere"), &capabilities("utf-8", false), &Value::Null);
    assert_eq!(client.request("textDocument/unheardOf", json!({})).unwrap_err().code, -32601);
    assert_eq!(client.request("textDocument/hover", json!({"textDocument": 1})).unwrap_err().code, -32602);
    client.notify("$/unheardOf", json!({}));
    assert_eq!(client.request("initialize", json!({"capabilities": {}})).unwrap_err().code, -32600);
    client.request("shutdown", Value::Null).unwrap();
    assert_eq!(client.request("textDocument/hover", json!({})).unwrap_err().code, -32600);
    client.notify("exit", Value::Null);
    assert!(client.end().is_shut_down);
}

#[test]
fn without_a_shutdown_it_ends_otherwise() {
    let mut client = Client::start(Options::default());
    client.notify("exit", Value::Null);
    let ending = client.end();
    assert!(!ending.is_shut_down && ending.by_client);
}

#[test]
fn columns_count_what_both_know() {
    for (encodings, want) in [
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-16", "utf-32"]), "utf-32"),
        (json!(["utf-16"]), "utf-16"),
        (Value::Null, "utf-16"),
    ] {
        let mut client = Client::start(Options::default());
        let capabilities = json!({"general": {"positionEncodings": encodings}});
        let result = client.initialize(Path::new("/nowhere"), &capabilities, &Value::Null);
        assert_eq!(result["capabilities"]["positionEncoding"], want);
        client.shut_down();
    }
}

#[test]
fn diagnostics_follow_edits() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-16", false);
    client.open(&path, GOOD);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    // The text in the editor counts, not that of the disk.
    client.change(
        &path,
        json!([{
            "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}, "text": "    Foo: 1\n"
        }]),
    );
    let found = client.diagnostics(&path);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["source"], "formwork");
    assert_eq!(found[0]["range"]["start"], json!({"line": 3, "character": 4}));
    assert!(found[0]["codeDescription"]["href"].as_str().unwrap().contains(found[0]["code"].as_str().unwrap()));
    client.replace(&path, GOOD);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.shut_down();
}

#[test]
fn diagnostics_that_are_pulled_are_not_published() {
    let folder = Folder::new(&[("t.yaml", BAD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-16", true);
    client.open(&path, BAD);
    let params = json!({"textDocument": {"uri": uri(&path)}});
    let full = client.request("textDocument/diagnostic", params.clone()).unwrap();
    assert_eq!((&full["kind"], full["items"].as_array().unwrap().len()), (&json!("full"), 1));
    let mut params = params;
    params["previousResultId"] = full["resultId"].clone();
    assert_eq!(client.request("textDocument/diagnostic", params).unwrap()["kind"], "unchanged");
    client.drain(Duration::from_millis(300));
    assert!(client.published.is_empty());
    client.shut_down();
}

#[test]
fn a_missing_module_is_waited_for() {
    let root = "Modules:\n  Net:\n    Source: ./net.yaml\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
    let folder = Folder::new(&[("t.yaml", root)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, root);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    assert!(client.asked.iter().any(|(method, _)| method == "client/registerCapability"));
    let module = folder.write("net.yaml", GOOD);
    let changed = |kind: u32| json!({"changes": [{"uri": uri(&module), "type": kind}]});
    client.notify("workspace/didChangeWatchedFiles", changed(1));
    client.wait_for("no diagnostic", |client| client.published[&uri(&path)].1.is_empty());
    std::fs::remove_file(&module).unwrap();
    client.notify("workspace/didChangeWatchedFiles", changed(3));
    client.wait_for("the diagnostic", |client| !client.published[&uri(&path)].1.is_empty());
    client.shut_down();
}

#[test]
fn errors_of_a_module_are_shown_in_it_and_those_of_its_use_at_the_import() {
    let root = "Modules:\n  Net:\n    Source: ./net.yaml\n    Properties: {Name: a}\n";
    let module = "Parameters:\n  Name: {Type: String}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Foo: 1\n";
    let folder = Folder::new(&[("t.yaml", root), ("net.yaml", module)]);
    let (path, module_path) = (folder.path.join("t.yaml"), folder.path.join("net.yaml"));
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, root);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.open(&module_path, module);
    let found = client.diagnostics(&module_path);
    assert_eq!((found.len(), &found[0]["range"]["start"]["line"]), (1, &json!(5)));
    client.shut_down();
}

#[test]
fn other_files_get_nothing() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n";
    let folder = Folder::new(&[("pod.yaml", pod)]);
    let path = folder.path.join("pod.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, pod);
    let params = json!({"textDocument": {"uri": uri(&path)}, "position": {"line": 0, "character": 2}});
    assert_eq!(client.request("textDocument/hover", params.clone()).unwrap(), Value::Null);
    assert_eq!(client.request("textDocument/documentSymbol", params.clone()).unwrap(), json!([]));
    assert_eq!(client.request("formwork/kind", json!({"uri": uri(&path)})).unwrap(), Value::Null);
    client.drain(Duration::from_millis(200));
    assert!(client.published.is_empty());
    client.shut_down();
}

#[test]
fn a_cancelled_request_is_answered_at_once() {
    let many: Vec<String> = (0..10_000).map(|number| format!("N{number}")).collect();
    let text = format!(
        "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [{}]\n    - T${{X}}: {{Type: AWS::SNS::Topic}}\n",
        many.join(", ")
    );
    let folder = Folder::new(&[("t.yaml", &text)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, &text);
    let params = json!({"textDocument": {"uri": uri(&path)}, "position": {"line": 5, "character": 7}});
    let id = client.send("textDocument/hover", params);
    let began = Instant::now();
    client.notify("$/cancelRequest", json!({"id": id}));
    match client.answer(id) {
        Err(error) => assert_eq!(error.code, -32800),
        Ok(answer) => assert!(answer.is_object()),
    }
    // 50 ms on a quiet machine.
    assert!(began.elapsed() < Duration::from_secs(2));
    client.shut_down();
}

#[test]
fn a_request_about_a_text_that_changed_fails() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, GOOD);
    let params = json!({"textDocument": {"uri": uri(&path)}});
    let id = client.send("textDocument/documentSymbol", params.clone());
    client.replace(&path, BAD);
    match client.answer(id) {
        Err(error) => assert_eq!(error.code, -32801),
        Ok(answer) => assert_eq!(answer.as_array().unwrap().len(), 1),
    }
    assert!(client.request("textDocument/documentSymbol", params).is_ok());
    client.shut_down();
}

#[test]
fn settings_that_are_wrong_are_logged() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let options = json!({"hints": {"values": 3}});
    let mut client = Client::with(&folder.path, &capabilities("utf-8", false), &options);
    client.wait_for("a log message", |client| client.notified.iter().any(|(method, _)| method == "window/logMessage"));
    client.shut_down();
}

#[test]
fn values_are_changed_in_memory() {
    let text = "Parameters:\n  Env: {Type: String, Default: dev}\nConditions:\n  IsProd: !Equals [!Ref Env, prod]\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Condition: IsProd\n";
    let folder = Folder::new(&[("t.yaml", text), ("formwork.toml", "[parameters.live]\nEnv = \"prod\"\n")]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, text);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": uri(&path)}, "range": range});
    let labels = |client: &mut Client| {
        let hints = client.request("textDocument/inlayHint", params.clone()).unwrap();
        let hints = hints.as_array().unwrap().iter();
        hints.map(|hint| hint["label"][0]["value"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels(&mut client), ["false", "absent"]);
    let values = client.request("formwork/values", json!({"uri": uri(&path)})).unwrap();
    let ids: Vec<&str> = values["sets"].as_array().unwrap().iter().map(|set| set["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["default", "parameter-set:live"]);
    let set = |id: &str| json!({"uri": uri(&path), "id": id});
    client.request("formwork/setValues", set("parameter-set:live")).unwrap();
    assert_eq!(labels(&mut client), ["true"]);
    assert_eq!(client.request("formwork/setValues", set("other")).unwrap_err().code, -32602);
    client.request("formwork/setValues", json!({"uri": uri(&path), "parameters": {"Env": "test"}})).unwrap();
    assert_eq!(labels(&mut client), ["false", "absent"]);
    client.shut_down();
}

#[test]
fn folders_do_not_see_each_other() {
    let folder = Folder::new(&[("a/t.yaml", GOOD), ("b/t.yaml", "Resources:\n  Queue:\n    Type: AWS::SQS::Queue\n")]);
    let mut client = Client::start(Options::default());
    let params = json!({
        "capabilities": capabilities("utf-8", false),
        "workspaceFolders": [
            {"uri": uri(&folder.path.join("a")), "name": "a"}, {"uri": uri(&folder.path.join("b")), "name": "b"}
        ]
    });
    client.request("initialize", params).unwrap();
    client.notify("initialized", json!({}));
    let path = folder.path.join("a/t.yaml");
    client.open(&path, GOOD);
    let params = json!({
        "textDocument": {"uri": uri(&path)}, "position": {"line": 1, "character": 4},
        "context": {"includeDeclaration": true}
    });
    let found = client.request("textDocument/references", params).unwrap();
    assert!(found.as_array().unwrap().iter().all(|one| one["uri"] == json!(uri(&path))));
    client.shut_down();
}

#[test]
fn diagnostics_on_save_wait_for_it() {
    let folder = Folder::new(&[("t.yaml", BAD)]);
    let path = folder.path.join("t.yaml");
    let options = json!({"diagnostics": {"run": "onSave"}});
    let mut client = Client::with(&folder.path, &capabilities("utf-8", false), &options);
    client.open(&path, BAD);
    assert_eq!(client.diagnostics(&path).len(), 1);
    client.replace(&path, GOOD);
    client.drain(Duration::from_millis(200));
    assert_eq!(client.published[&uri(&path)].1.len(), 1);
    // Another document, opened, edited and saved, starts runs: the first one is still not saved.
    let other = folder.path.join("other.yaml");
    client.open(&other, BAD);
    assert_eq!(client.diagnostics(&other).len(), 1);
    client.replace(&other, GOOD);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&other)}}));
    assert_eq!(client.diagnostics(&other), Vec::<Value>::new());
    assert_eq!(client.published[&uri(&path)].1.len(), 1);
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&path)}}));
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.shut_down();
    // The same where they are pulled.
    let mut client = Client::with(&folder.path, &capabilities("utf-8", true), &options);
    client.open(&path, BAD);
    let mut params = json!({"textDocument": {"uri": uri(&path)}});
    let full = client.request("textDocument/diagnostic", params.clone()).unwrap();
    assert_eq!(full["items"].as_array().unwrap().len(), 1);
    params["previousResultId"] = full["resultId"].clone();
    client.replace(&path, GOOD);
    let kept = client.request("textDocument/diagnostic", params.clone()).unwrap();
    assert_eq!((&kept["kind"], &kept["resultId"]), (&json!("unchanged"), &full["resultId"]));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&path)}}));
    client.wait_for("a refresh", |client| {
        client.asked.iter().any(|(method, _)| method == "workspace/diagnostic/refresh")
    });
    assert_eq!(client.request("textDocument/diagnostic", params).unwrap()["items"], json!([]));
    client.shut_down();
}

#[test]
fn a_client_that_creates_no_files_is_offered_none() {
    let text = "Modules:\n  Net:\n    Source: ./gone.yaml\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
    let folder = Folder::new(&[("t.yaml", text)]);
    let path = folder.path.join("t.yaml");
    let titles = |all: &Value| {
        let mut client = Client::with(&folder.path, all, &Value::Null);
        client.open(&path, text);
        let at = json!({"line": 2, "character": 14});
        let params = json!({
            "textDocument": {"uri": uri(&path)}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}
        });
        let found = client.request("textDocument/codeAction", params).unwrap();
        client.shut_down();
        found.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut all = capabilities("utf-8", false);
    assert!(titles(&all).iter().any(|title| title.starts_with("create ")));
    all["workspace"]["workspaceEdit"] = json!({"documentChanges": true});
    assert!(titles(&all).iter().all(|title| !title.starts_with("create ")));
}
