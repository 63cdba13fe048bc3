//! The language server shows what `check` reports: both are the program, with its defaults (docs/language-server.md).
//!
//! `cargo xtask lsp-edits` edits many more templates, in the server alone, and asks the program about some of the templates.
#![cfg(unix)]

mod client;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::folder::Folder;
use client::{Client, Kind, uri};

/// How often a session looks: `FORMWORK_LSP_LOOKS` for more.
fn looks() -> u64 {
    std::env::var("FORMWORK_LSP_LOOKS").ok().and_then(|count| count.parse().ok()).unwrap_or(12)
}

const TEMPLATE: &str = "Parameters:
  Env: {Type: String, Default: dev}
  Unused: {Type: String, Default: x}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Modules:
  Net:
    Source: ./net.yaml
    Properties: {Name: !Ref Env, Days: 7}
Resources:
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: !Sub '${Env}-jobs'
      VisibilityTimeout: 30
      KmsMasterKeyId: alias/aws/sqs
  Work:
    Type: AWS::Lambda::Function
    Condition: IsProd
    Properties:
      Runtime: python3.12
      Handler: app.handler
      Role: !GetAtt Role.Arn
      Code: {ZipFile: 'pass'}
      Environment:
        Variables: {QUEUE: !GetAtt Jobs.QueueName}
  Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: '2012-10-17'
        Statement:
          - Effect: Allow
            Principal: {Service: lambda.amazonaws.com}
            Action: sts:AssumeRole
  Own:
    Type: Acme::Tool::Thing
    Properties:
      Name: one
      Size: 3
  Stack:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: ./child.yaml
      Parameters: {Name: !Ref Env}
Outputs:
  Arn: {Value: !GetAtt Jobs.Arn}
";

const MODULE: &str = "Parameters:
  Name: {Type: String}
  Days: {Type: Number}
Resources:
  Logs:
    Type: AWS::Logs::LogGroup
    Properties:
      LogGroupName: !Ref Name
      RetentionInDays: !Ref Days
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      TopicName: !Sub '${Name}-topic'
      FifoTopic: false
";

const CHILD: &str = "Parameters:
  Name: {Type: String}
Resources:
  Table:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Ref Name
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      KeySchema: [{AttributeName: id, KeyType: HASH}]
";

const SCHEMA: &str = r#"{"typeName": "Acme::Tool::Thing", "additionalProperties": false, "required": ["Name"],
"properties": {"Name": {"type": "string", "enum": ["one", "two"]}, "Size": {"type": "integer", "maximum": 9},
"Arn": {"type": "string"}}, "readOnlyProperties": ["/properties/Arn"], "primaryIdentifier": ["/properties/Name"]}"#;

const FILES: [(&str, &str); 3] = [("template.yaml", TEMPLATE), ("net.yaml", MODULE), ("child.yaml", CHILD)];

/// What may be written as a value, most of the time a wrong one.
const VALUES: [&str; 12] = [
    "[1, 2]",
    "{A: b}",
    "nonsense",
    "-1",
    "99999999",
    "true",
    "''",
    "3650",
    "!Ref Env",
    "!Ref Nothing",
    "two",
    "python2.7",
];

/// A document that is edited.
struct Document {
    path: PathBuf,
    name: &'static str,
    text: String,
    version: i64,
}

/// One line of it, written in another way: its key, its value, or none of it.
fn edit(random: &mut fastrand::Rng, document: &Document) -> String {
    let lines: Vec<&str> = document.text.lines().collect();
    let at = random.usize(..lines.len());
    let line = lines[at];
    let changed = match (random.u8(..6), line.split_once(':')) {
        // What an author had before comes back most of the time, so that few lines are wrong together.
        (0 | 1, _) => return FILES.iter().find(|(name, _)| *name == document.name).expect("a file").1.to_owned(),
        (2, Some((key, value))) => format!("{key}x:{value}"),
        (3, _) => String::new(),
        (_, Some((key, _))) => format!("{key}: {}", VALUES[random.usize(..VALUES.len())]),
        (_, None) => format!("{line}x"),
    };
    let own = |(number, line): (usize, &&str)| if number == at { changed.clone() } else { (*line).to_owned() };
    lines.iter().enumerate().map(own).collect::<Vec<_>>().join("\n") + "\n"
}

/// What the program finds in a file, and what of it elsewhere: each as a code with its words, or its place.
fn checked(folder: &Folder, name: &str) -> Vec<Value> {
    let run = folder.run(&["check", "--message-format", "json", name]);
    let lines = run.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line.get("code").is_some()).collect()
}

fn place(found: &Value) -> (String, Value, Value, Value) {
    (found["file"].to_string(), found["line"].clone(), found["column"].clone(), found["code"].clone())
}

/// The findings as the editor shows them: what the check of another file finds there is shown there alone.
fn reported(folder: &Folder, name: &str) -> Vec<String> {
    let mut shown = Vec::new();
    for found in checked(folder, name) {
        let words = format!("{} {} {}", found["severity"], found["code"], found["message"]);
        let file = found["file"].as_str().unwrap_or_default();
        if file == name {
            shown.push(format!("{}:{} {words}", found["line"], found["column"]));
        } else if !checked(folder, file).iter().any(|alone| place(alone) == place(&found)) {
            shown.push(format!("elsewhere {words}"));
        }
    }
    shown.sort();
    shown
}

/// The same of the server.
fn served(items: &[Value]) -> Vec<String> {
    let shown = items.iter().map(|item| {
        let severity = ["error", "warning", "note"][item["severity"].as_u64().expect("a severity") as usize - 1];
        let words = format!("\"{severity}\" {} {}", item["code"], item["message"]);
        if item["relatedInformation"][0]["message"] == "the place in the module" {
            return format!("elsewhere {words}");
        }
        let start = &item["range"]["start"];
        let from_one = |key: &str| start[key].as_u64().expect("a number") + 1;
        format!("{}:{} {words}", from_one("line"), from_one("character"))
    });
    let mut shown: Vec<String> = shown.collect();
    shown.sort();
    shown
}

/// A project with private types, and a file of settings.
fn project(name: &str) -> Folder {
    let folder = Folder::new("lsp", name)
        .with("schemas/deep/thing.json", SCHEMA)
        .with("formwork.toml", "[check]\nschemas = \"schemas\"\nignore = [\"FW0331\"]\n")
        .with("samconfig.toml", "version = 0.1\n[default.deploy.parameters]\nparameter_overrides = \"Env=live\"\n");
    FILES.into_iter().fold(folder, |folder, (name, text)| folder.with(name, text))
}

fn session(kind: Kind, seed: u64) {
    let folder = project(&format!("{}-{}", kind.is_trusted, kind.pulls));
    let mut client = Client::start(&folder, kind);
    let open = |(name, text): (&'static str, &str)| {
        let path = folder.path(name);
        let document = json!({"uri": uri(&path), "languageId": "yaml", "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        Document { path, name, text: text.to_owned(), version: 1 }
    };
    let mut documents: Vec<Document> = FILES.into_iter().map(open).collect();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut codes = std::collections::BTreeSet::new();
    for look in 0..looks() {
        // Each is looked at as often.
        let at = look as usize % documents.len();
        for _ in 0..random.usize(1..4) {
            let document = &mut documents[at];
            document.text = edit(&mut random, document);
            document.version += 1;
            let changed = json!({"uri": uri(&document.path), "version": document.version});
            let changes = json!([{"text": document.text}]);
            client.notify("textDocument/didChange", json!({"textDocument": changed, "contentChanges": changes}));
        }
        let document = &documents[at];
        let served = served(&client.diagnostics(&document.path, document.version));
        std::fs::write(&document.path, &document.text).expect("a file");
        let reported = reported(&folder, document.name);
        assert_eq!(served, reported, "{kind:?}, seed {seed}, look {look}: {}\n{}", document.name, document.text);
        codes.extend(reported.iter().filter_map(|line| Some(line.split_once("\"FW")?.1[..4].to_owned())));
    }
    client.shut_down();
    assert!(codes.iter().any(|code| code.starts_with("01")), "{codes:?}");
}

#[test]
fn the_server_shows_what_the_program_reports() {
    let kinds = [(false, false), (false, true), (true, false), (true, true)];
    for (seed, (is_trusted, pulls)) in kinds.into_iter().enumerate() {
        session(Kind { is_trusted, pulls }, seed as u64);
    }
}

/// The codes of a template that is opened.
fn codes_of(client: &mut Client, folder: &Folder, version: i64) -> Vec<String> {
    let path = folder.path("template.yaml");
    let mut found = client.diagnostics(&path, version);
    found.retain(|item| item["severity"] == 1);
    found.iter().map(|item| item["code"].as_str().expect("a code").to_owned()).collect()
}

#[test]
fn schemas_of_private_types_are_followed() {
    let folder = project("private");
    let mut client = Client::start(&folder, Kind { is_trusted: false, pulls: true });
    let text = "Resources:\n  Own:\n    Type: Acme::Tool::Thing\n    Properties: {Name: one, Wrong: 1}\n";
    let path = folder.path("template.yaml");
    let document = json!({"uri": uri(&path), "languageId": "yaml", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(codes_of(&mut client, &folder, 1), ["FW0112"]);
    let mut change = |name: &str, text: &str, kind: u8| {
        std::fs::write(folder.path(name), text).expect("a file");
        let changes = json!({"changes": [{"uri": uri(&folder.path(name)), "type": kind}]});
        client.notify("workspace/didChangeWatchedFiles", changes);
        codes_of(&mut client, &folder, 1)
    };
    // The file changes, another one appears, and the last one wins.
    assert_eq!(change("schemas/deep/thing.json", &SCHEMA.replace("\"Size\"", "\"Wrong\""), 2), Vec::<String>::new());
    assert_eq!(change("schemas/later.json", SCHEMA, 1), ["FW0112"]);
    // One that is half written is none.
    assert_eq!(change("schemas/later.json", &SCHEMA[..90], 2), Vec::<String>::new());
    assert_eq!(change("formwork.toml", "[check]\nschemas = \"nowhere\"\n", 2), Vec::<String>::new());
    client.shut_down();
}

#[test]
fn schemas_outside_of_the_project_are_not_read() {
    let folder = project("outside");
    let outside = Folder::new("lsp", "elsewhere").with("thing.json", SCHEMA);
    std::fs::remove_file(folder.path("schemas/deep/thing.json")).expect("removed");
    std::os::unix::fs::symlink(outside.path("thing.json"), folder.path("schemas/thing.json")).expect("a link");
    std::os::unix::fs::symlink(outside.path(""), folder.path("schemas/all")).expect("a link");
    let run = folder.run(&["check", "template.yaml"]);
    assert!(run.status == 2 && run.err.contains("outside the project root"), "{run:?}");
    for is_trusted in [false, true] {
        let mut client = Client::start(&folder, Kind { is_trusted, pulls: true });
        let text = "Resources:\n  Own:\n    Type: Acme::Tool::Thing\n    Properties: {Wrong: 1}\n";
        let path = folder.path("template.yaml");
        let document = json!({"uri": uri(&path), "languageId": "yaml", "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        assert_eq!(codes_of(&mut client, &folder, 1), Vec::<String>::new());
        client.shut_down();
    }
}

/// 20,000 findings in a file, several times found and repaired.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_many_findings_is_bounded_and_used_again() {
    let folder = Folder::new("lsp", "many");
    let mut client = Client::start(&folder, Kind { is_trusted: false, pulls: false });
    let path = folder.path("template.yaml");
    let repaired = "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n";
    let mut wrong = format!("{repaired}    Properties:\n");
    wrong.extend((0..20_000).map(|at| format!("      Unknown{at}: 1\n")));
    let document = json!({"uri": uri(&path), "languageId": "yaml", "version": 0, "text": repaired});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    assert_eq!(client.diagnostics(&path, 0).len(), 0);
    let mut after = Vec::new();
    for version in 1..=12 {
        let text = if version % 4 == 0 { repaired.to_owned() } else { format!("{wrong}# {version}\n") };
        let changed = json!({"uri": uri(&path), "version": version});
        let params = json!({"textDocument": changed, "contentChanges": [{"text": text}]});
        client.notify("textDocument/didChange", params);
        let shown = client.diagnostics(&path, version).len();
        assert_eq!(shown, if version % 4 == 0 { 0 } else { 1_001 }, "a message counts what is not shown");
        after.push(client.megabytes("VmRSS"));
    }
    let (peak, first, last) = (client.megabytes("VmHWM"), after[3], after[11]);
    client.shut_down();
    assert!(peak < 512, "{peak} MiB");
    // The allocator of the C library keeps what is freed and uses it again: it must not become more.
    assert!(last <= first + first / 4, "{after:?} MiB");
}
