//! What takes long, shown by clients that can; and the choice of a context of a module.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

const MODULE: &str =
    "Parameters:\n  Label: {Type: String, Default: x}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
const ROOT: &str = "Modules:\n  One: {Source: ./m.yaml}\n  Two: {Source: ./m.yaml}\nResources: {}\n";

/// A template whose expansion takes a while: a loop over `count` items.
pub fn large(count: u32) -> String {
    let items: Vec<String> = (0..count).map(|number| format!("i{number}")).collect();
    let property = |number| format!("          Tag{number}: !Sub \"${{N}}-{number}\"\n");
    let properties: Vec<String> = (0..30).map(property).collect();
    let properties = properties.concat();
    format!(
        "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - N\n    - [{}]\n    - T${{N}}:\n        Type: A::B::C\n        Properties:\n{properties}",
        items.join(", ")
    )
}

fn progress(client: &Client) -> Vec<(Value, Value)> {
    let all = client.notified.iter().filter(|(method, _)| method == "$/progress");
    all.map(|(_, params)| (params["token"].clone(), params["value"].clone())).collect()
}

#[test]
fn long_runs_begin_and_end() {
    let folder = Folder::new(&[]);
    let path = folder.path.join("t.yaml");
    let mut all = capabilities("utf-8", true);
    all["window"] = json!({"workDoneProgress": true});
    let mut client = Client::with(&folder.path, &all, &Value::Null);
    client.wait_for("the scan", |client| progress(client).iter().any(|(_, value)| value["kind"] == "end"));
    let shown = progress(&client);
    assert_eq!(shown[0].1["kind"], "begin");
    assert_eq!(shown[1].1, json!({"kind": "report", "message": "0 templates"}));
    client.open(&path, &large(3000));
    let view = format!("formwork-expanded:{}?stage=resolve", path.display());
    client.request("formwork/expanded", json!({"uri": view})).unwrap();
    client.drain(Duration::from_millis(100));
    // How long it takes depends on the machine: what begins ends, and each request was announced before.
    let shown = progress(&client);
    for (token, _) in &shown {
        let own: Vec<&Value> =
            shown.iter().filter(|(other, _)| other == token).map(|(_, value)| &value["kind"]).collect();
        assert!(own.first() == Some(&&json!("begin")), "{own:?}");
        assert!(client.asked.iter().any(|(method, params)| method.ends_with("/create") && params["token"] == *token));
    }
    client.shut_down();
}

#[test]
fn clients_without_progress_see_none() {
    let folder = Folder::new(&[("t.yaml", MODULE)]);
    let mut client = Client::in_folder(&folder.path, "utf-8", true);
    client.open(&folder.path.join("t.yaml"), &large(3000));
    client
        .request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(&folder.path.join("t.yaml"))}}))
        .unwrap();
    assert!(progress(&client).is_empty());
    client.shut_down();
}

#[test]
fn a_context_is_asked_for() {
    let folder = Folder::new(&[("m.yaml", MODULE), ("t.yaml", ROOT)]);
    let module = uri(&folder.path.join("m.yaml"));
    let mut client = Client::in_folder(&folder.path, "utf-8", true);
    client.open(&folder.path.join("m.yaml"), MODULE);
    let select = |words: Value| json!({"command": "formwork.selectContext", "arguments": words});
    client.request("workspace/executeCommand", select(json!([module]))).unwrap();
    client.drain(Duration::from_millis(50));
    let asked = client.asked.iter().find(|(method, _)| method == "window/showMessageRequest").unwrap();
    assert_eq!(asked.1["actions"], json!([{"title": "One in t.yaml"}, {"title": "Two in t.yaml"}]));
    let refused = client.request("workspace/executeCommand", select(json!([module, module, "One"])));
    assert_eq!(refused.unwrap_err().code, -32602);
    assert_eq!(client.request("workspace/executeCommand", select(json!([]))).unwrap_err().code, -32602);
    client.shut_down();
}

#[test]
fn a_view_follows_into_errors() {
    let folder = Folder::new(&[]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", true);
    client.open(&path, "Resources:\n  A: {Type: AWS::SNS::Topic}\n");
    let view = format!("formwork-expanded:{}?stage=expand", path.display());
    client.request("workspace/textDocumentContent", json!({"uri": view})).unwrap();
    let refreshes = |client: &Client| {
        client.asked.iter().filter(|(method, _)| method == "workspace/textDocumentContent/refresh").count()
    };
    client.replace(&path, "Resources:\n  A: {Type: AWS::SNS::Topic\n");
    client.wait_for("the note about errors", |client| refreshes(client) == 1);
    client.replace(&path, "Resources:\n  A: {Type: AWS::SNS::Topic}\n");
    client.wait_for("the text", |client| refreshes(client) == 2);
    client.shut_down();
}
