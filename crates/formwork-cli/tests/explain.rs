//! What `formwork explain` prints for the nodes of one template: every reason for something that is not
//! known, and for something that is not there. `FORMWORK_UPDATE=1` updates the answers.
//!
//! Holds reference/provenance.md#explain, reference/provenance.md#residuals,
//! reference/provenance.md#absent.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::support::folder::Folder;

const PATHS: [&str; 27] = [
    "Topic",
    "Topic.DisplayName",
    "Resources.Topic.Properties.DisplayName.Fn::If.1",
    "Topic.TopicName",
    "Topic.KmsMasterKeyId",
    "Topic.Tags[0].Value",
    "Topic.Tags[1].Value",
    "Topic.Tags[2].Value",
    "Topic.Tags[3].Value",
    "Topic.Nothing",
    "Archive",
    "/Resources/Archive/Type",
    "MailsQueue",
    "Resources.BillsQueue.Properties.QueueName",
    "BillsQueue.MessageRetentionPeriod",
    "BillsQueue.KmsMasterKeyId",
    "OrdersQueue",
    "OneTopic.DisplayName",
    "TwoTopic.TopicName",
    "Resources.Fn::ForEach::None",
    "Outputs.Arn.Value",
    "IsLarge",
    "Conditions.IsProd",
    "Stage",
    "Days",
    "Transform",
    "Nowhere",
];

#[test]
fn every_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain");
    let mut all = String::new();
    let mut run = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
            // The files around it are not those of its repository.
            .args([&["explain", "template.yaml", "--project-root", "."], words].concat())
            .current_dir(&folder)
            .output()
            .expect("the program ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        writeln!(all, "=== {} ({})\n", words.join(" "), output.status.code().expect("a status")).expect("room");
        all += &text(&output.stderr);
        all += &text(&output.stdout);
        all.push('\n');
    };
    for path in PATHS {
        run(&[path]);
    }
    for path in ["BillsQueue.QueueName", "Topic.TopicName", "TwoTopic.TopicName", "Topic.DisplayName"] {
        run(&[path, "--stage", "expand"]);
        run(&[path, "--format", "json"]);
    }
    run(&["--at", "template.yaml:35"]);
    run(&["--at", "template.yaml:45:26"]);
    run(&["--verify"]);
    run(&["--verify", "--stage", "expand"]);
    let path = folder.join("answers.txt");
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        std::fs::write(&path, &all).expect("the file is written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    for (one, other) in found.split("=== ").zip(all.split("=== ")) {
        assert_eq!(one, other);
    }
    assert_eq!(found.len(), all.len());
}

/// A logical ID and a path that lead to one node have one answer.
#[test]
fn an_id_and_a_path_have_one_answer() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain");
    let explain = |path: &str, more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args([&["explain", "template.yaml", path], more].concat())
            .current_dir(&folder)
            .output()
            .expect("the program ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (id, path) in [
        ("Topic", "Resources.Topic"),
        ("Topic", "/Resources/Topic"),
        ("BillsQueue", "Resources.BillsQueue"),
        ("IsLarge", "Conditions.IsLarge"),
        ("Arn", "Outputs.Arn"),
        ("Stage", "Parameters.Stage"),
    ] {
        for more in [&[][..], &["--format", "json"], &["--stage", "expand"]] {
            let answer = explain(id, more);
            assert!(!answer.is_empty(), "{id}");
            assert_eq!(answer, explain(path, more), "{id} {more:?}");
        }
    }
}

/// What went into a value of a module, through every argument down to written text.
#[test]
fn sources_run_on_through_arguments_to_written_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain-modules");
    let sources = |path: &str| sources_in(&folder, path);
    let users = "Identifier=users@6:23";
    assert_eq!(sources("Box1Queue.A"), format!("Name=users@8:13 {users}"));
    assert_eq!(sources("Box1Queue.B"), format!("Name=users@8:13 {users}"));
    assert_eq!(sources("Box1Queue.C"), format!("Label=users-box@9:14 {users}"));
    assert_eq!(sources("Box1Queue.D"), format!("Joined=?@10:15 Env=dev@2:32 {users}"));
    assert_eq!(sources("Box1Queue.E"), format!("Value=users@11:14 {users}"));
    assert_eq!(sources("Box1Queue.F"), format!("Name=users@8:13 {users} Label=users-box@9:14"));
}

/// A constant is among the sources of every value that it went into, and so is what its definition uses.
#[test]
fn constants_are_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain-constants");
    let sources = |path: &str| sources_in(&folder, path);
    let (name, env) = ("Name=?@3:9", "Env=dev@8:32");
    assert_eq!(sources("Root.A"), name);
    assert_eq!(sources("Root.B"), format!("{env} {name}"));
    assert_eq!(sources("Root.C"), format!("Whole=?@4:10 {name} {env}"));
    assert_eq!(sources("Root.D"), format!("Joined=?@5:11 {name} {env}"));
    assert_eq!(sources("Root.E"), format!("Sizes.dev.Size=web@10:23 {name} {env}"));
    assert_eq!(sources("Root.F"), format!("Box.Team=?@19:17 Team=?@2:9 {env}"));
    assert_eq!(sources("Root.G"), format!("Box.Team=?@19:17 Team=?@2:9 {env}"));
    assert_eq!(sources("Root.H"), format!("Tags=?@6:9 {name}"));
    assert_eq!(sources("Root.H.0.Value"), name);
    assert_eq!(sources("Root.I"), name);
    assert_eq!(sources("Topicx.A"), format!("{name} Item=x@31:8"));
    assert_eq!(sources("Topicx.B"), name);
    let (team, stage, owner) = ("Team=?@2:9", "Stage=dev@14:25", "Owner=web-owner@14:37");
    assert_eq!(sources("BoxTopic.A"), team);
    assert_eq!(sources("BoxTopic.B"), format!("{owner} {name} {team} {stage}"));
    assert_eq!(sources("BoxTopic.C"), format!("Prefix=?@3:11 {team} {stage}"));
    assert_eq!(sources("BoxTopic.D"), format!("{owner} {name}"));
    assert_eq!(sources("BoxTopic.E"), format!("Suffix=?@4:11 {team}"));
    assert_eq!(sources("BoxTopic.F"), format!("{team} {stage}"));
    assert_eq!(sources("BoxTopic.G"), name);
    for stage in ["resolve", "expand"] {
        let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(["explain", "template.yaml", "--verify", "--stage", stage])
            .current_dir(&folder)
            .output()
            .expect("the program ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The sources of a value in one line: name, text, line and column of each.
fn sources_in(folder: &Path, path: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(["explain", "template.yaml", path, "--format", "json"])
        .current_dir(folder)
        .output()
        .expect("the program ends");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |source: &serde_json::Value| {
        let name = source["name"].as_str().unwrap_or_default();
        format!("{name}={}@{}:{}", source["value"].as_str().unwrap_or("?"), source["line"], source["column"])
    };
    let all = answer["sources"].as_array().expect("sources").iter().map(text);
    all.collect::<Vec<_>>().join(" ")
}

/// Without a template, that of the working directory is taken: for a node, a line and a rule (reference/command-line.md).
#[test]
fn the_template_may_be_left_out() {
    let folder = Folder::new("explain", "default").with(
        "template.yaml",
        "Parameters: {Stage: {Type: String, Default: dev}}\n\
         Rules: {Known: {Assertions: [{Assert: !Equals [!Ref Stage, dev]}]}}\n\
         Resources: {Topic: {Type: AWS::SNS::Topic}}\n",
    );
    for (named, left_out) in [
        (&["explain", "template.yaml", "Topic"][..], &["explain", "Topic"][..]),
        (&["explain", "template.yaml", "--at", "template.yaml:3"], &["explain", "--at", "template.yaml:3"]),
        (&["rules", "check", "template.yaml"], &["rules", "check"]),
        (&["rules", "solve", "template.yaml", "Known"], &["rules", "solve", "Known"]),
        (&["rules", "table", "template.yaml"], &["rules", "table"]),
    ] {
        let (named, left_out) = (folder.run(named), folder.run(left_out));
        assert_eq!((left_out.status, &left_out.out), (0, &named.out), "{left_out:?}");
        assert!(left_out.err.starts_with("template: template.yaml\n"), "{left_out:?}");
    }
    let nothing = folder.run(&["explain"]);
    assert_eq!(nothing.status, 2, "{nothing:?}");
    assert!(nothing.err.contains("write `formwork explain template.yaml Resources.NAME`"), "{nothing:?}");
}
