//! Sessions that editors had, played again: their order of messages, their odd requests and cancellations. They are recorded by
//! `editors/tests/run.py PROGRAM --record editors/tests/sessions`.

use std::path::{Path, PathBuf};

use formwork_lsp::{Options, Replay, replay};
use serde_json::Value;

use crate::client::Folder;

/// Every recording with the workspace that it is of.
fn sessions() -> Vec<(PathBuf, PathBuf)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/tests");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(tests.join("sessions")).unwrap() {
        let folder = folder.unwrap();
        let root = tests.join("workspaces").join(folder.file_name());
        found.extend(std::fs::read_dir(folder.path()).unwrap().map(|log| (log.unwrap().path(), root.clone())));
    }
    found.sort();
    found
}

fn play(wanted: &Replay) -> (u8, String) {
    let mut out = Vec::new();
    let status = replay(wanted, &Options::default(), &mut out);
    (status, String::from_utf8(out).unwrap())
}

#[test]
fn sessions_of_editors_are_answered_as_they_were() {
    let sessions = sessions();
    assert!(sessions.len() > 5);
    for (log, root) in sessions {
        let (status, out) = play(&Replay { log, root: Some(root), ..Replay::default() });
        assert_eq!(status, 0, "{out}");
    }
}

#[test]
fn every_request_is_answered_where_editors_changed_something() {
    let mut places = 0;
    for (log, root) in sessions() {
        let wanted = Replay { log, root: Some(root), probes: true, ..Replay::default() };
        let (status, out) = play(&wanted);
        assert_eq!(status, 0, "{out}");
        let figures: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        places += figures["probes"].as_u64().unwrap();
        let again: Value = serde_json::from_str(play(&wanted).1.lines().last().unwrap()).unwrap();
        assert_eq!(again["hash"], figures["hash"]);
    }
    assert!(places > 100);
}

#[test]
fn recordings_hold_no_secret_and_no_place_of_the_machine() {
    for (log, _) in sessions() {
        let text = std::fs::read_to_string(&log).unwrap();
        for word in ["/tmp/", "/home/", "/root/"] {
            let line = text.lines().position(|line| line.contains(word));
            assert_eq!(line, None, "{} has {word}", log.display());
        }
    }
}

/// A recording of one template, made by a server.
fn recorded() -> Folder {
    use crate::client::{Client, capabilities};
    let text = "Parameters:\n  Stage: {Type: String, Default: dev}\n  Password: {Type: String, NoEcho: true}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Foo: 1\n";
    let folder = Folder::new(&[("t.yaml", text)]);
    let path = folder.path.join("t.yaml");
    let options = Options { record: Some(folder.path.join("session.jsonl")), ..Options::default() };
    let mut client = Client::start(options);
    client.initialize(&folder.path, &capabilities("utf-16", false), &Value::Null);
    client.open(&path, text);
    client.diagnostics(&path);
    let uri = crate::client::uri(&path);
    let values = serde_json::json!({"uri": uri, "parameters": {"Stage": "prod", "Password": "geheim"}});
    client.request("formwork/setValues", values).unwrap();
    let place = serde_json::json!({"textDocument": {"uri": uri}, "position": {"line": 1, "character": 3}});
    client.request("textDocument/hover", place).unwrap();
    client.replace(&path, &text.replace("    Foo: 1\n", ""));
    client.diagnostics(&path);
    client.shut_down();
    folder
}

#[test]
fn a_recording_is_played_and_differences_have_their_place() {
    let folder = recorded();
    let log = folder.path.join("session.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains("geheim") && text.contains("\"Password\":\"****\"") && text.contains("\"Stage\":\"prod\""));
    assert!(!text.contains(folder.path.to_str().unwrap()));
    let wanted = Replay { log: log.clone(), ..Replay::default() };
    let (status, out) = play(&wanted);
    assert_eq!(status, 0, "{out}");
    let figures: Value = serde_json::from_str(out.trim()).unwrap();
    assert_eq!((&figures["differences"], &figures["panics"]), (&Value::from(0), &Value::from(0)));
    // Another answer is found, by line and pointer.
    std::fs::write(&log, text.replace("(parameter) Stage", "(parameter) Other")).unwrap();
    let (status, out) = play(&wanted);
    let line = text.lines().position(|line| line.contains("(parameter) Stage")).unwrap() + 1;
    let place = format!("{}:{line}: textDocument/hover: /result/contents/value: ", log.display());
    assert!(status == 1 && out.lines().count() == 2 && out.starts_with(&place), "{out}");
    // It is written, and none is left.
    let (status, _) = play(&Replay { updates: true, ..wanted.clone() });
    assert_eq!((status, play(&wanted).0), (0, 0));
}

#[test]
fn an_updated_recording_is_played_without_a_difference() {
    use crate::client::{Client, capabilities};
    let text = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Foo: 1\n";
    let folder = Folder::new(&[("t.yaml", text)]);
    let (path, log) = (folder.path.join("t.yaml"), folder.path.join("session.jsonl"));
    let mut client = Client::start(Options { record: Some(log.clone()), ..Options::default() });
    let options = serde_json::json!({"unheardOf": 1});
    client.initialize(&folder.path, &capabilities("utf-16", true), &options);
    client.open(&path, text);
    let mut params = serde_json::json!({"textDocument": {"uri": crate::client::uri(&path)}});
    let full = client.request("textDocument/diagnostic", params.clone()).unwrap();
    params["previousResultId"] = full["resultId"].clone();
    assert_eq!(client.request("textDocument/diagnostic", params.clone()).unwrap()["kind"], "unchanged");
    client.shut_down();
    let own = |id: &Value| format!("\"resultId\":{id}");
    let recorded = std::fs::read_to_string(&log).unwrap();
    assert!(recorded.contains(&own(&full["resultId"])));
    // What another version of the program answered, asked and logged: its ids are others, too.
    let asks = |line: &&str| !line.contains("client/registerCapability");
    let old: Vec<&str> = recorded.lines().filter(asks).collect();
    let mut old = old.join("\n").replace(full["resultId"].as_str().unwrap(), "one");
    old = old.replace("unheardOf is unknown", "unheardOf is wrong").replace("FW", "XX");
    std::fs::write(&log, old + "\n").unwrap();
    let wanted = Replay { log: log.clone(), ..Replay::default() };
    let (status, out) = play(&wanted);
    assert!(status == 1 && out.contains("registerCapability") && out.contains("unheardOf"), "{out}");
    assert_eq!(play(&Replay { updates: true, ..wanted.clone() }).0, 0);
    let (status, out) = play(&wanted);
    assert_eq!(status, 0, "{out}");
    let updated = std::fs::read_to_string(&log).unwrap();
    assert!(updated.contains("\"resultId\":\"one\"") && updated.contains("\"kind\":\"unchanged\""));
    assert_eq!(updated.lines().count(), recorded.lines().count());
    // It stays as it is.
    assert_eq!(play(&Replay { updates: true, ..wanted }).0, 0);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), updated);
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = Folder::new(&[("a.jsonl", "{\"ms\": 1}\n"), ("b.jsonl", "")]);
    for name in ["a.jsonl", "b.jsonl", "missing.jsonl"] {
        assert_eq!(play(&Replay { log: folder.path.join(name), ..Replay::default() }), (2, String::new()));
    }
}
