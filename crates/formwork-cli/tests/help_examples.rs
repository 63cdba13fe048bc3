//! Every example of a long help runs in a project that has what it names. What would call AWS ends with the error of the call,
//! not with one of the command line.
//!
//! Holds reference/command-line.md#help.
#![cfg(all(unix, feature = "aws", feature = "local"))]

use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Stage: {Type: String, Default: prod}
Rules:
  Production:
    RuleCondition: !Equals [!Ref Stage, prod]
    Assertions: [{Assert: !Contains [[dev, prod], !Ref Stage]}]
Resources:
  Fn::ForEach::Queues:
    - Name
    - [Orders]
    - ${Name}Queue:
        Type: AWS::SQS::Queue
        Properties:
          QueueName: !Sub ${Name}-${Stage}
  OrdersFunction:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: app.handler
      CodeUri: src/
      Events:
        Orders: {Type: Api, Properties: {Path: /orders, Method: get}}
";

const MODULE: &str = "Parameters:
  Name: {Type: String}
Resources:
  Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name}}
";

const RAIN: &str = "Rain:
  Constants: {Prefix: shop}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Rain::Constant Prefix}}
";

fn project(name: &str) -> Folder {
    Folder::new("help_examples", name)
        .with("template.yaml", TEMPLATE)
        .with("templates/queue.yaml", "Resources:\n  Q: {Type: AWS::SQS::Queue}\n")
        .with("old.yaml", TEMPLATE)
        .with("new.yaml", TEMPLATE)
        .with("prod.json", "{\"Stage\": \"prod\"}")
        .with("event.json", "{}")
        .with("src/app.py", "def handler(event, context):\n    return {\"statusCode\": 200}\n")
        .with("src/requirements.txt", "")
        .with("modules/queue.yaml", MODULE)
        .with("auth/parent.yaml", "Parameters:\n  Stage: {Type: String}\n")
        .with("auth/queue.yaml", "Resources:\n  Q: {Type: AWS::SQS::Queue}\n")
        .with("rain.yaml", RAIN)
        .with("home/.local/share/bash-completion/completions/.keep", "")
        .with("home/.zfunc/.keep", "")
        .with("home/.config/fish/completions/.keep", "")
}

/// All commands of the program.
fn commands(project: &Folder, parent: &[&str]) -> Vec<String> {
    let help = project.run(&[parent, &["--help"]].concat()).out;
    crate::support::help_list::commands_of(&help)
        .iter()
        .flat_map(|name| {
            let words = [parent, &[name.as_str()]].concat();
            [vec![words.join(" ")], commands(project, &words)].concat()
        })
        .collect()
}

/// Whether an example calls AWS, or a host of modules.
fn calls(line: &str) -> bool {
    let names_a_host = ["--s3-bucket my-bucket", "--live", "--change-set"].iter().any(|option| line.contains(option));
    // It reads what another tool printed of an expansion.
    let reads_a_report = line.contains("map-back");
    let commands = [
        "deploy ",
        "delete ",
        "sync ",
        "account ",
        "modules vendor",
        "modules update",
        "events ",
        "list stacks",
        "list resources shop",
        "list endpoints",
        "list stack-outputs",
        "logs ",
        "outputs ",
        "diagnose ",
        "refactor ",
        // Status 1 if anything differs; a revision and a stack that are not there.
        "diff ",
        "plan ",
        "stack ",
        // It waits for messages of an editor.
        "lsp",
    ];
    names_a_host || reads_a_report || commands.iter().any(|command| line.starts_with(&format!("formwork {command}")))
}

#[test]
fn every_example_runs() {
    let program = project("help");
    let mut examples = BTreeSet::new();
    for command in commands(&program, &[]) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = program.run(&words).out;
        let (_, behind) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command} has no examples"));
        let lines: Vec<String> =
            behind.lines().take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned()).collect();
        assert!(lines.iter().any(|line| line.contains(&format!("formwork {command}"))), "{command}: {lines:?}");
        examples.extend(lines);
    }
    assert!(examples.len() >= 40, "{examples:?}");
    // The directory has a rain template, too, which `fmt` refuses; `dot` is a program of Graphviz.
    for (number, line) in examples.iter().filter(|line| *line != "formwork fmt" && !line.contains("| dot")).enumerate()
    {
        run(number, line);
    }
}

/// Ends a process group.
fn end(group: u32) {
    let ended = Command::new("kill").args(["-TERM", "--", &format!("-{group}")]).status();
    assert!(ended.is_ok_and(|status| status.success()), "a server is ended");
}

fn run(number: usize, line: &str) {
    let project = project(&format!("example-{number}"));
    let directory = Path::new(env!("CARGO_BIN_EXE_formwork")).parent().expect("a directory");
    let mut command = project.command("sh");
    command
        .args(["-c", line])
        .env("PATH", format!("{}:{}", directory.display(), std::env::var("PATH").unwrap_or_default()))
        .env("HOME", project.path("home"))
        .env("AWS_ACCESS_KEY_ID", "a")
        .env("AWS_SECRET_ACCESS_KEY", "b")
        .env("AWS_REGION", "eu-west-1")
        .env("AWS_MAX_ATTEMPTS", "1")
        // Nobody listens there.
        .env("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        .env("HTTPS_PROXY", "http://127.0.0.1:9");
    let is_server = line.contains(" start-");
    let (out, err) = (project.path("out.txt"), project.path("err.txt"));
    command.stdout(std::fs::File::create(&out).expect("a file")).stderr(std::fs::File::create(&err).expect("a file"));
    // The shell and the programs that it starts are ended together.
    let mut child = command.process_group(0).spawn().expect("a shell");
    let start = Instant::now();
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status.code();
        }
        let listens = || is_server && (text(&out) + &text(&err)).contains("http://127.0.0.1:");
        // What watches, or calls again and again, has read its command line by then.
        let is_late = calls(line) && start.elapsed() > Duration::from_secs(2);
        if is_late || listens() {
            end(child.id());
            child.wait().expect("it ends");
            break None;
        }
        assert!(start.elapsed() < Duration::from_mins(2), "{line} does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    let said = text(&err);
    if calls(line) {
        for usage in ["unknown ", "` is not a value of", "` is missing", "` cannot be used with", "too many for"] {
            assert!(!said.contains(usage), "{line}: {said}");
        }
    } else if !is_server {
        assert_eq!(status, Some(0), "{line}: {said}{}", text(&out));
    }
}
