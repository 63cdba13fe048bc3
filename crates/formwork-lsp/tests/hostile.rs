//! Messages that no good client sends, and documents that few have.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

const GOOD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
const BAD: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Foo: 1\n";

/// Every request of a feature.
const METHODS: [&str; 24] = [
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
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/diagnostic",
    "formwork/map",
    "formwork/values",
    "formwork/expanded",
];

fn goes_on(client: &mut Client) {
    let status = client.request("formwork/status", Value::Null).unwrap();
    assert_eq!(status["panics"], 0);
}

#[test]
fn params_of_another_form_are_refused_and_the_server_goes_on() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-16", true);
    client.open(&path, GOOD);
    let document = json!({"uri": uri(&path)});
    let wrong = [
        Value::Null,
        json!([]),
        json!("text"),
        json!({"textDocument": null}),
        json!({"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}),
        json!({"textDocument": document, "position": {"line": -1, "character": 0}, "range": 1, "positions": 1}),
        json!({"textDocument": document, "position": {"line": 4_294_967_296_u64, "character": 0}, "range": {}, "positions": {}}),
        json!({"textDocument": document, "position": {"line": 1.5, "character": "x"}, "range": [], "positions": [1]}),
    ];
    for method in METHODS {
        for params in &wrong {
            let answer = client.request(method, params.clone());
            let code = answer.as_ref().map_or_else(|error| error.code, |_| -32602);
            assert_eq!(code, -32602, "{method} {params}: {answer:?}");
        }
    }
    for (method, params) in [
        ("textDocument/didOpen", json!({"textDocument": {"uri": 1}})),
        ("textDocument/didOpen", Value::Null),
        ("textDocument/didChange", json!({"textDocument": {"uri": uri(&path), "version": 2}})),
        ("textDocument/didChange", json!({"textDocument": {"uri": "file:///never/opened"}, "contentChanges": []})),
        ("textDocument/didClose", json!({"textDocument": {"uri": "file:///never/opened"}})),
        ("textDocument/didClose", json!([])),
        ("workspace/didChangeWatchedFiles", json!({"changes": 1})),
        ("workspace/didChangeWorkspaceFolders", json!({"event": {"added": [{"uri": 5}], "removed": "x"}})),
        ("workspace/didChangeConfiguration", Value::Null),
        ("$/cancelRequest", json!({"id": {"a": 1}})),
        ("$/cancelRequest", json!({"id": 99_999_999_999_u64})),
        ("$/setTrace", json!({"value": "verbose"})),
        ("formwork/trust", json!([])),
        ("initialized", Value::Null),
    ] {
        client.notify(method, params);
    }
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn places_outside_of_the_text_are_its_ends() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let mut client = Client::in_folder(&folder.path, encoding, true);
        client.open(&path, GOOD);
        let far = json!({"line": 4_294_967_295_u64, "character": 4_294_967_295_u64});
        let line = json!({"line": 1, "character": 4_294_967_295_u64});
        for (start, end) in [(&far, &far), (&line, &far), (&far, &line), (&line, &line)] {
            for method in METHODS {
                let params = json!({
                    "textDocument": {"uri": uri(&path)}, "uri": uri(&path), "position": start, "positions": [start, end],
                    "range": {"start": start, "end": end}, "newName": "x", "previousResultId": "7-x",
                    "options": {"tabSize": 2, "insertSpaces": true}, "context": {"diagnostics": []}
                });
                if let Err(error) = client.request(method, params) {
                    assert!([-32602, -32803].contains(&error.code), "{method}: {}", error.message);
                }
            }
        }
        client.change(&path, json!([{"range": {"start": far, "end": far}, "text": "    Foo: 1\n"}]));
        let pulled = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(&path)}})).unwrap();
        assert_eq!(pulled["items"][0]["range"]["start"], json!({"line": 3, "character": 4}));
        goes_on(&mut client);
        client.shut_down();
    }
}

#[test]
fn columns_are_those_of_the_client_whatever_is_in_front() {
    // Line breaks of both kinds, characters outside of the basic plane, a byte order mark.
    let text = "Resources:\r\n  Topic:\r\n    Type: AWS::SNS::Topic\r\n    Properties: {DisplayName: \"🚀é\", TopicName: !Ref X}\r\n";
    let folder = Folder::new(&[]);
    let path = folder.path.join("t.yaml");
    for (encoding, column) in [("utf-8", 56), ("utf-16", 53), ("utf-32", 52)] {
        for mark in ["", "\u{feff}"] {
            let mut client = Client::in_folder(&folder.path, encoding, false);
            client.open(&path, &format!("{mark}{text}"));
            let found = client.diagnostics(&path);
            assert_eq!(found[0]["range"]["start"], json!({"line": 3, "character": column}), "{encoding}");
            client.shut_down();
        }
    }
    let flow = "{Resources: {T: {Type: AWS::SNS::Topic, Foo: 1}}}";
    for (encoding, width) in [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)] {
        let mut client = Client::in_folder(&folder.path, encoding, false);
        client.open(&path, flow);
        let plain = client.diagnostics(&path)[0]["range"]["start"]["character"].as_u64().unwrap();
        client.replace(&path, &format!("\u{feff}{flow}"));
        let marked = client.diagnostics(&path)[0]["range"]["start"]["character"].as_u64().unwrap();
        assert_eq!(marked, plain + width, "{encoding}");
        client.shut_down();
    }
}

#[test]
fn halves_of_a_pair_are_no_place() {
    let text = "Resources:\n  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: \"🚀\"}}\n";
    let folder = Folder::new(&[]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-16", false);
    client.open(&path, text);
    let at = text.lines().nth(1).unwrap().find('🚀').unwrap();
    // Inside of the pair is in front of it.
    let inside = json!({"line": 1, "character": at + 1});
    client.change(&path, json!([{"range": {"start": inside, "end": inside}, "text": "x"}]));
    let whole = json!({"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}});
    client.change(&path, json!([{"range": whole, "text": "  T: {Type: AWS::SNS::Topic, Foo: 1}\n"}]));
    assert_eq!(client.diagnostics(&path).len(), 1);
    client.shut_down();
}

#[test]
fn versions_and_orders_of_any_kind_are_taken() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    let open = |client: &Client, version: i32, text: &str| {
        let document = json!({"uri": uri(&path), "languageId": "yaml", "version": version, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
    };
    let published = |client: &mut Client, version: i64, count: usize| {
        client.wait_for("diagnostics", |client| {
            client.published.get(&uri(&path)).is_some_and(|(of, items)| *of == Some(version) && items.len() == count)
        });
    };
    open(&client, 7, BAD);
    published(&mut client, 7, 1);
    // Opened again, with a version that goes backwards.
    open(&client, 3, GOOD);
    published(&mut client, 3, 0);
    let change = |client: &Client, version: Value, text: &str| {
        let document = json!({"uri": uri(&path), "version": version});
        client.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    };
    change(&client, json!(2), BAD);
    published(&mut client, 2, 1);
    change(&client, Value::Null, GOOD);
    published(&mut client, 2, 0);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&path)}}));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&path)}}));
    change(&client, json!(9), BAD);
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn nothing_but_messages_is_sent_before_the_answer_of_initialize() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let mut all = capabilities("utf-8", true);
    for feature in ["inlayHint", "codeLens", "semanticTokens"] {
        all["workspace"][feature] = json!({"refreshSupport": true});
    }
    let mut client = Client::start(formwork_lsp::Options::default());
    let params = json!({
        "capabilities": all,
        "initializationOptions": {"hints": {"values": true}},
        "workspaceFolders": [{"uri": uri(&folder.path), "name": "w"}]
    });
    client.request("initialize", params).unwrap();
    assert!(client.asked.is_empty());
    client.notify("initialized", json!({}));
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn progress_ends_whatever_becomes_of_the_request() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, GOOD);
    for (number, end) in ["nothing", "cancel", "change", "close"].iter().enumerate() {
        client.open(&path, GOOD);
        let params = json!({"textDocument": {"uri": uri(&path)}, "workDoneToken": format!("token-{number}")});
        let id = client.send("textDocument/documentSymbol", params);
        match *end {
            "cancel" => client.notify("$/cancelRequest", json!({"id": id})),
            "change" => client.replace(&path, BAD),
            "close" => client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&path)}})),
            _ => {}
        }
        let _ = client.answer(id);
        goes_on(&mut client);
        let kinds: Vec<&str> = client
            .notified
            .iter()
            .filter(|(method, params)| method == "$/progress" && params["token"] == json!(format!("token-{number}")))
            .map(|(_, params)| params["value"]["kind"].as_str().unwrap())
            .collect();
        assert_eq!(kinds, ["begin", "end"], "{end}");
    }
    client.shut_down();
}

#[test]
fn roots_come_and_go() {
    let module = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";
    let template = "Modules:\n  Net:\n    Source: ../shared/net.yaml\n";
    let folder = Folder::new(&[("shared/net.yaml", module), ("a/t.yaml", template), ("b/t.yaml", GOOD)]);
    let path = folder.path.join("a/t.yaml");
    let mut client = Client::in_folder(&folder.path.join("a"), "utf-8", false);
    client.open(&path, template);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0701");
    // The directory around it is opened: the module is inside now.
    let event = |added: &[&str], removed: &[&str]| {
        let of = |names: &[&str]| -> Vec<Value> {
            names.iter().map(|name| json!({"uri": uri(&folder.path.join(name)), "name": name})).collect()
        };
        json!({"event": {"added": of(added), "removed": of(removed)}})
    };
    client.notify("workspace/didChangeWorkspaceFolders", event(&[""], &["a"]));
    client.wait_for("the module", |client| client.published[&uri(&path)].1.is_empty());
    client.notify("workspace/didChangeWorkspaceFolders", event(&["a"], &[""]));
    client.wait_for("the root", |client| !client.published[&uri(&path)].1.is_empty());
    client.notify("workspace/didChangeWorkspaceFolders", event(&[], &["a"]));
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn files_are_renamed_and_deleted_under_the_server() {
    let template = "Modules:\n  Net:\n    Source: net.yaml\n";
    let folder = Folder::new(&[("t.yaml", template), ("net.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, template);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    let changed = |client: &Client, changes: &[(&str, u32)]| {
        let changes: Vec<Value> =
            changes.iter().map(|(name, kind)| json!({"uri": uri(&folder.path.join(name)), "type": kind})).collect();
        client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    };
    std::fs::rename(folder.path.join("net.yaml"), folder.path.join("other.yaml")).unwrap();
    changed(&client, &[("net.yaml", 3), ("other.yaml", 1)]);
    client.wait_for("the error", |client| !client.published[&uri(&path)].1.is_empty());
    // The open template itself goes: the text in the editor counts.
    std::fs::remove_file(&path).unwrap();
    changed(&client, &[("t.yaml", 3)]);
    client.replace(&path, &template.replace("net.yaml", "other.yaml"));
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    // So does the module, for a directory of its name.
    std::fs::remove_file(folder.path.join("other.yaml")).unwrap();
    std::fs::create_dir(folder.path.join("other.yaml")).unwrap();
    changed(&client, &[("other.yaml", 3), ("other.yaml", 1)]);
    client.wait_for("the error", |client| !client.published[&uri(&path)].1.is_empty());
    let symbols = client.request("workspace/symbol", json!({"query": ""})).unwrap();
    assert!(!symbols.as_array().unwrap().is_empty());
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn files_that_no_template_reads_change_nothing() {
    let folder = Folder::new(&[("t.yaml", GOOD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, GOOD);
    client.diagnostics(&path);
    let compiles = |client: &mut Client| client.request("formwork/status", Value::Null).unwrap()["compiles"].clone();
    let before = compiles(&mut client);
    for number in 0..50 {
        let file = folder.path.join(format!("node_modules/x/{number}.js"));
        let changes = json!({"changes": [{"uri": uri(&file), "type": 1}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
    }
    client.drain(Duration::from_millis(100));
    assert_eq!(compiles(&mut client), before);
    client.shut_down();
}

#[test]
fn diagnostics_go_when_they_are_turned_off() {
    let folder = Folder::new(&[("t.yaml", BAD)]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, BAD);
    assert_eq!(client.diagnostics(&path).len(), 1);
    let set = |run: &str| json!({"settings": {"formwork": {"diagnostics": {"run": run}}}});
    client.notify("workspace/didChangeConfiguration", set("off"));
    client.wait_for("no diagnostics", |client| client.published[&uri(&path)].1.is_empty());
    client.notify("workspace/didChangeConfiguration", set("onType"));
    client.wait_for("diagnostics", |client| !client.published[&uri(&path)].1.is_empty());
    client.shut_down();
}

#[test]
fn the_set_of_values_of_the_settings_is_in_force_from_the_start() {
    let text = "Parameters:\n  Count: {Type: Number, Default: 0}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: !Select [!Ref Count, [a]]}\n";
    let folder = Folder::new(&[("t.yaml", text), ("formwork.toml", "[parameters.live]\nCount = 5\n")]);
    let path = folder.path.join("t.yaml");
    let options = json!({"values": "parameter-set:live"});
    let mut client = Client::with(&folder.path, &capabilities("utf-8", false), &options);
    client.open(&path, text);
    assert_eq!(client.diagnostics(&path)[0]["code"], "FW0402");
    let values = client.request("formwork/values", json!({"uri": uri(&path)})).unwrap();
    assert_eq!(values["current"], "parameter-set:live");
    // What is chosen wins, the default among the sets, too.
    client.request("formwork/setValues", json!({"uri": uri(&path), "id": "default"})).unwrap();
    client.wait_for("the default", |client| client.published[&uri(&path)].1.is_empty());
    assert_eq!(client.request("formwork/values", json!({"uri": uri(&path)})).unwrap()["current"], "default");
    client.shut_down();
    // A set that does not exist is ignored.
    let options = json!({"values": "parameter-set:gone"});
    let mut client = Client::with(&folder.path, &capabilities("utf-8", false), &options);
    client.open(&path, text);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    client.shut_down();
}

#[test]
fn a_template_that_uses_a_file_is_related_to_it() {
    let template = "Modules:\n  Net:\n    Source: net.yaml\n    Properties: {Count: 5}\n";
    let module = "Parameters:\n  Count: {Type: Number}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {DisplayName: !Select [!Ref Count, [a]]}\n";
    let folder = Folder::new(&[("t.yaml", template), ("net.yaml", module)]);
    let (path, net) = (folder.path.join("t.yaml"), folder.path.join("net.yaml"));
    let mut client = Client::in_folder(&folder.path, "utf-8", true);
    client.open(&path, template);
    client.open(&net, module);
    let pulled = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri(&net)}})).unwrap();
    let related = &pulled["relatedDocuments"][uri(&path)];
    assert_eq!((&related["kind"], &related["items"][0]["code"]), (&json!("full"), &json!("FW0402")));
    client.shut_down();
}

#[test]
fn a_large_document_and_a_burst_of_changes_are_taken() {
    let mut text = String::from("Resources:\n");
    while text.len() < 6_000_000 {
        text.push_str("  # 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\n");
    }
    text.push_str("  Topic:\n    Type: AWS::SNS::Topic\n");
    let folder = Folder::new(&[]);
    let path = folder.path.join("t.yaml");
    let mut client = Client::in_folder(&folder.path, "utf-8", false);
    client.open(&path, &text);
    client.diagnostics(&path);
    client.replace(&path, GOOD);
    let began = Instant::now();
    for number in 0..2000 {
        let end = json!({"line": 3, "character": 0});
        let piece = if number % 2 == 0 { "    Foo: 1\n" } else { "" };
        let range = json!({"start": end, "end": {"line": 4, "character": 0}});
        client.change(&path, json!([{"range": range, "text": piece}]));
    }
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    assert!(began.elapsed() < Duration::from_secs(30));
    goes_on(&mut client);
    client.shut_down();
}

#[test]
fn a_client_that_pulls_and_cannot_be_told_to_is_pushed_to() {
    let folder = Folder::new(&[("t.yaml", BAD)]);
    let path = folder.path.join("t.yaml");
    let mut all = capabilities("utf-8", true);
    all["workspace"].as_object_mut().unwrap().remove("diagnostics");
    let mut client = Client::start(formwork_lsp::Options::default());
    let announced = client.initialize(&folder.path, &all, &Value::Null);
    assert_eq!(announced["capabilities"].get("diagnosticProvider"), None);
    client.open(&path, BAD);
    assert_eq!(client.diagnostics(&path).len(), 1);
    client.shut_down();
}
