//! Code actions of a whole file: a few are compiled, the others when they are chosen, and none for nobody.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

/// A template with so many diagnostics that have a fix.
fn template(count: usize) -> String {
    let mut text = "Resources:\n  First: {Type: AWS::SNS::Topic}\n".to_owned();
    for number in 0..count {
        let properties = format!("{{TopicName: !Ref Missing{number}, DisplayName: !GetAtt First.TopicName}}");
        let _ = write!(
            text,
            "  Topic{number}:\n    Type: AWS::SNS::Topic\n    DependsOn: First\n    Properties: {properties}\n"
        );
    }
    text
}

fn whole(folder: &Folder) -> Value {
    let end = json!({"line": 1_000_000, "character": 0});
    let range = json!({"start": {"line": 0, "character": 0}, "end": end});
    let document = json!({"uri": uri(&folder.path.join("t.yaml"))});
    json!({"textDocument": document, "range": range, "context": {"diagnostics": []}})
}

fn opened(text: &str, can_resolve: bool) -> (Folder, Client) {
    let folder = Folder::new(&[("t.yaml", text)]);
    let mut all = capabilities("utf-8", true);
    if !can_resolve {
        all["textDocument"]["codeAction"] = json!({"codeActionLiteralSupport": {}});
    }
    let mut client = Client::with(&folder.path, &all, &Value::Null);
    client.open(&folder.path.join("t.yaml"), text);
    (folder, client)
}

#[test]
fn a_client_that_resolves_is_offered_more() {
    let text = template(40);
    let (folder, mut client) = opened(&text, true);
    let found = client.request("textDocument/codeAction", whole(&folder)).unwrap();
    let (now, later): (Vec<&Value>, Vec<&Value>) =
        found.as_array().unwrap().iter().partition(|action| action.get("edit").is_some());
    assert!(
        now.len() > 5 && later.len() > 10 && found.as_array().unwrap().len() < 80,
        "{} and {}",
        now.len(),
        later.len()
    );
    let resolved = client.request("codeAction/resolve", later[later.len() - 1].clone()).unwrap();
    assert!(resolved["edit"]["documentChanges"][0]["edits"][0]["range"].is_object(), "{resolved}");
    // One with its edit stays as it is.
    assert_eq!(&client.request("codeAction/resolve", now[0].clone()).unwrap(), now[0]);
    // Of another text it is none any more.
    client.replace(&folder.path.join("t.yaml"), &format!("{text}# more\n"));
    assert_eq!(client.request("codeAction/resolve", later[0].clone()).unwrap_err().code, -32801);
    client.shut_down();
    let (folder, mut client) = opened(&text, false);
    let found = client.request("textDocument/codeAction", whole(&folder)).unwrap();
    assert!(found.as_array().unwrap().iter().all(|action| action.get("edit").is_some()));
    client.shut_down();
}

#[test]
fn what_is_cancelled_takes_no_time() {
    let (folder, mut client) = opened(&template(200), true);
    let began = Instant::now();
    client.request("textDocument/codeAction", whole(&folder)).unwrap();
    let one = began.elapsed();
    let began = Instant::now();
    let ids: Vec<i32> = (0..60).map(|_| client.send("textDocument/codeAction", whole(&folder))).collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    assert!(ids.into_iter().all(|id| client.answer(id).is_err()));
    // It is answered behind them.
    let document = json!({"uri": uri(&folder.path.join("t.yaml"))});
    client.request("textDocument/foldingRange", json!({"textDocument": document})).unwrap();
    // Four threads would need fifteen times as long.
    assert!(began.elapsed() < one * 7, "{:?} for what is cancelled, {one:?} for one", began.elapsed());
    client.shut_down();
}
