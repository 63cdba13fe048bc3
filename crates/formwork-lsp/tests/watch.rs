//! Files that change on the disk: watched by the client, inside of the workspace and outside, or looked at by the server.

use std::path::Path;
use std::time::Duration;

use formwork_lsp::Options;
use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

const MODULE: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
const ROOT: &str = "Modules:\n  Net:\n    Source: ../shared/net.yaml\n";

/// What a client announces that watches single files, too.
fn watching() -> Value {
    let mut all = capabilities("utf-8", false);
    all["workspace"]["didChangeWatchedFiles"] = json!({"dynamicRegistration": true, "relativePatternSupport": true});
    all
}

/// The patterns that are registered now: directory and glob of each.
fn registered(client: &Client) -> Vec<(String, String)> {
    let mut all: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (method, params) in &client.asked {
        for one in params["registrations"].as_array().into_iter().flatten() {
            if method == "client/registerCapability" && one["method"] == "workspace/didChangeWatchedFiles" {
                let watchers = one["registerOptions"]["watchers"].as_array().unwrap().iter();
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let pattern = |watcher: &Value| match &watcher["globPattern"] {
                    Value::String(glob) => (String::new(), glob.clone()),
                    glob => (text(&glob["baseUri"]), text(&glob["pattern"])),
                };
                all.push((text(&one["id"]), watchers.map(pattern).collect()));
            }
        }
        for one in params["unregisterations"].as_array().into_iter().flatten() {
            let before = all.len();
            all.retain(|(id, _)| one["id"] != json!(id));
            assert_eq!(all.len() + 1, before, "what is not registered is unregistered");
        }
    }
    all.into_iter().flat_map(|(_, patterns)| patterns).collect()
}

fn changed(client: &Client, path: &Path, kind: u32) {
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri(path), "type": kind}]}));
}

fn errors(client: &Client, path: &Path) -> Vec<String> {
    let found = client.published.get(&uri(path)).map_or(&[][..], |(_, items)| items);
    found.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

/// A trusted workspace directory in a repository with a directory of modules beside it.
fn repository() -> Folder {
    Folder::new(&[("app/t.yaml", ROOT), ("shared/net.yaml", MODULE), (".git/HEAD", "x")])
}

#[test]
fn dependencies_outside_of_the_workspace_are_registered_and_followed() {
    let folder = repository();
    let (app, path) = (folder.path.join("app"), folder.path.join("app/t.yaml"));
    let mut client = Client::with(&app, &watching(), &json!({"trusted": true}));
    client.open(&path, ROOT);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    let shared = (uri(&folder.path.join("shared")), "net.yaml".to_owned());
    client.wait_for("a registration", |client| registered(client).contains(&shared));
    assert!(registered(&client).contains(&(uri(&app), "**/*".to_owned())));
    // The client reports its changes, and another program deletes and creates it.
    let module = folder.path.join("shared/net.yaml");
    std::fs::remove_file(&module).unwrap();
    changed(&client, &module, 3);
    client.wait_for("the error", |client| errors(client, &path) == ["FW0701"]);
    // A missing dependency is watched, too.
    client.drain(Duration::from_millis(50));
    assert!(registered(&client).contains(&shared));
    folder.write("shared/net.yaml", MODULE);
    changed(&client, &module, 1);
    client.wait_for("no error", |client| errors(client, &path).is_empty());
    // What nothing depends on is not watched any longer.
    client.replace(&path, MODULE);
    client.diagnostics(&path);
    client.wait_for("the end of it", |client| !registered(client).contains(&shared));
    client.shut_down();
}

#[test]
fn a_dependency_whose_directory_appears_is_found() {
    let folder = Folder::new(&[("app/t.yaml", ROOT), (".git/HEAD", "x")]);
    let (app, path) = (folder.path.join("app"), folder.path.join("app/t.yaml"));
    let mut client = Client::with(&app, &watching(), &json!({"trusted": true}));
    client.open(&path, ROOT);
    client.wait_for("the error", |client| errors(client, &path) == ["FW0701"]);
    client.drain(Duration::from_millis(2500));
    assert!(registered(&client).iter().all(|(_, pattern)| pattern == "**/*"));
    folder.write("shared/net.yaml", MODULE);
    client.wait_for("no error", |client| errors(client, &path).is_empty());
    let shared = (uri(&folder.path.join("shared")), "net.yaml".to_owned());
    client.wait_for("a registration", |client| registered(client).contains(&shared));
    client.shut_down();
}

#[test]
fn a_client_that_watches_no_single_files_is_helped() {
    let folder = repository();
    let (app, path) = (folder.path.join("app"), folder.path.join("app/t.yaml"));
    let mut all = watching();
    all["workspace"]["didChangeWatchedFiles"] = json!({"dynamicRegistration": true});
    let mut client = Client::with(&app, &all, &json!({"trusted": true}));
    client.open(&path, ROOT);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.drain(Duration::from_millis(2500));
    assert_eq!(registered(&client), [(String::new(), "**/*".to_owned())]);
    std::fs::remove_file(folder.path.join("shared/net.yaml")).unwrap();
    client.wait_for("the error", |client| errors(client, &path) == ["FW0701"]);
    client.shut_down();
}

#[test]
fn without_watching_configuration_is_looked_at_too() {
    let text = "Parameters:\n  Env: {Type: String, AllowedValues: [dev, prod]}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref Env}\n";
    let settings = |value: &str| format!("[check]\nparameter-set = \"a\"\n[parameters.a]\nEnv = \"{value}\"\n");
    let folder = Folder::new(&[("t.yaml", text), ("formwork.toml", &settings("dev"))]);
    let path = folder.path.join("t.yaml");
    let mut all = watching();
    all["workspace"].as_object_mut().unwrap().remove("didChangeWatchedFiles");
    let mut client = Client::with(&folder.path, &all, &Value::Null);
    client.open(&path, text);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.drain(Duration::from_millis(2500));
    assert!(client.asked.iter().all(|(method, _)| method != "client/registerCapability"));
    folder.write("formwork.toml", &settings("elsewhere"));
    client.wait_for("the error", |client| !errors(client, &path).is_empty());
    client.shut_down();
}

#[test]
fn without_trust_nothing_outside_is_watched() {
    let folder = repository();
    let (app, path) = (folder.path.join("app"), folder.path.join("app/t.yaml"));
    let mut client = Client::with(&app, &watching(), &Value::Null);
    client.open(&path, ROOT);
    client.wait_for("the error", |client| errors(client, &path) == ["FW0701"]);
    client.drain(Duration::from_millis(2500));
    assert_eq!(registered(&client), [(uri(&app), "**/*".to_owned())]);
    client.shut_down();
}

#[test]
fn each_workspace_directory_is_watched() {
    let folder = Folder::new(&[("a/t.yaml", MODULE), ("b/t.yaml", MODULE)]);
    let (a, b) = (folder.path.join("a"), folder.path.join("b"));
    let mut client = Client::with(&a, &watching(), &Value::Null);
    let event = json!({"added": [{"uri": uri(&b), "name": "b"}], "removed": []});
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    let both = [(uri(&a), "**/*".to_owned()), (uri(&b), "**/*".to_owned())];
    client.wait_for("both", |client| registered(client) == both);
    client.shut_down();
}

#[test]
fn a_directory_that_is_gone_takes_its_files_along() {
    let text = "Modules:\n  Net:\n    Source: ./modules/net.yaml\n";
    let folder = Folder::new(&[("t.yaml", text), ("modules/net.yaml", MODULE)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::with(&folder.path, &watching(), &Value::Null);
    client.open(&path, text);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    // Some clients report the directory alone.
    let modules = folder.path.join("modules");
    std::fs::rename(&modules, folder.path.join("elsewhere")).unwrap();
    changed(&client, &modules, 3);
    client.wait_for("the error", |client| errors(client, &path) == ["FW0701"]);
    std::fs::rename(folder.path.join("elsewhere"), &modules).unwrap();
    changed(&client, &modules, 1);
    client.wait_for("no error", |client| errors(client, &path).is_empty());
    client.shut_down();
}

#[test]
fn files_of_values_are_followed_on_the_disk_and_in_the_editor() {
    let text = "Parameters:\n  Env: {Type: String}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref Env}\n";
    let values = |value: &str| format!("{{\"Parameters\": {{\"Env\": \"{value}\"}}}}");
    let folder = Folder::new(&[
        ("t.yaml", text),
        ("sub/u.yaml", text),
        ("params/dev.json", &values("one")),
        ("params/prod.json", &values("two")),
        ("other.json", &values("three")),
    ]);
    let (path, below) = (folder.path.join("t.yaml"), folder.path.join("sub/u.yaml"));
    let options = json!({"parameterFiles": ["params/*.json"], "values": "file:params/dev.json"});
    let mut client = Client::with(&folder.path, &watching(), &options);
    client.open(&path, text);
    client.open(&below, text);
    let value = |client: &mut Client, path: &Path| {
        let values = client.request("formwork/values", json!({"uri": uri(path)})).unwrap();
        values["parameters"][0]["value"].as_str().map(str::to_owned)
    };
    let values_of = client.request("formwork/values", json!({"uri": uri(&path)})).unwrap();
    let ids: Vec<&str> = values_of["sets"].as_array().unwrap().iter().map(|set| set["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["default", "file:params/dev.json", "file:params/prod.json"]);
    // The first set is that of the setting, and its paths are those from the workspace directory.
    assert_eq!(values_of["current"], "file:params/dev.json");
    assert_eq!(value(&mut client, &path).as_deref(), Some("one"));
    assert_eq!(value(&mut client, &below).as_deref(), Some("one"));
    client.request("formwork/setValues", json!({"uri": uri(&path), "id": "file:params/prod.json"})).unwrap();
    assert_eq!(value(&mut client, &path).as_deref(), Some("two"));
    let refused = client.request("formwork/setValues", json!({"uri": uri(&path), "id": "file:other.json"}));
    assert_eq!(refused.unwrap_err().code, -32602);
    // Another program writes it.
    let file = folder.write("params/prod.json", &values("four"));
    changed(&client, &file, 2);
    assert_eq!(value(&mut client, &path).as_deref(), Some("four"));
    // What is open wins over the disk.
    client.open(&file, &values("five"));
    assert_eq!(value(&mut client, &path).as_deref(), Some("five"));
    client.replace(&file, &values("six"));
    assert_eq!(value(&mut client, &path).as_deref(), Some("six"));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&file)}}));
    assert_eq!(value(&mut client, &path).as_deref(), Some("four"));
    client.shut_down();
}

#[test]
fn settings_are_those_of_the_workspace_directory() {
    let folder = Folder::new(&[("a/t.yaml", MODULE), ("b/t.yaml", MODULE)]);
    let (a, b) = (folder.path.join("a"), folder.path.join("b"));
    let mut client = Client::start(Options::default());
    let mut all = watching();
    all["workspace"]["configuration"] = json!(true);
    client.configuration = json!([{}, {"hover": {"enable": false}}, {}]);
    let folders = json!([{"uri": uri(&a), "name": "a"}, {"uri": uri(&b), "name": "b"}]);
    client.request("initialize", json!({"capabilities": all, "workspaceFolders": folders})).unwrap();
    client.notify("initialized", json!({}));
    client
        .wait_for("the question", |client| client.asked.iter().any(|(method, _)| method == "workspace/configuration"));
    let items = &client.asked.iter().find(|(method, _)| method == "workspace/configuration").unwrap().1["items"];
    let own = |folder: &Path| json!({"scopeUri": uri(folder), "section": "formwork"});
    assert_eq!(*items, json!([{"section": "formwork"}, own(&a), own(&b)]));
    let mut hover = |folder: &Path| {
        let path = folder.join("t.yaml");
        client.open(&path, MODULE);
        let place = json!({"line": 1, "character": 4});
        client.request("textDocument/hover", json!({"textDocument": {"uri": uri(&path)}, "position": place})).unwrap()
    };
    assert_eq!(hover(&a), Value::Null);
    assert!(hover(&b).is_object());
    client.shut_down();
}
