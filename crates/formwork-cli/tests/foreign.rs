//! Words of other tools (`foreign/words.txt`, and whole lines of people who come from one in `foreign/newcomers.txt`): each is refused with what to type, or accepted. Nothing is written, nothing goes
//! over the network, and no answer does the opposite of what was meant.
//!
//! Holds reference/command-line.md#habits, reference/command-line.md#refused.
#![cfg(all(feature = "aws", feature = "local"))]

use std::net::TcpListener;

use crate::support::folder::{Folder, Run};

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, Default: dev}
Rules:
  IsKnown:
    Assertions:
      - Assert: !Contains [[dev, prod], !Ref Stage]
Resources:
  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Stage}}
";

/// A line of the file.
struct Case {
    section: &'static str,
    words: Vec<&'static str>,
    want: &'static str,
}

fn cases() -> Vec<Case> {
    let (mut section, mut cases) = ("", Vec::new());
    let files = [include_str!("foreign/words.txt"), include_str!("foreign/newcomers.txt")];
    for line in files.into_iter().flat_map(str::lines) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        } else if let Some((words, want)) = line.split_once(" => ").filter(|_| !line.starts_with('#')) {
            cases.push(Case { section, words: words.split(' ').collect(), want });
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{line}");
        }
    }
    cases
}

/// What a server that nobody should call has seen.
struct Silent(TcpListener);

impl Silent {
    fn new() -> Silent {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("it does not wait");
        Silent(listener)
    }

    fn url(&self) -> String {
        format!("http://{}", self.0.local_addr().expect("an address"))
    }

    fn was_called(&self) -> bool {
        self.0.accept().is_ok()
    }
}

fn project(name: &str) -> Folder {
    let config = "[profile prod]\nregion = eu-west-1\naws_access_key_id = a\naws_secret_access_key = b\n[default]\nregion = eu-west-1\n";
    Folder::new("foreign", name)
        .with("t.yaml", TEMPLATE)
        .with("template.yaml", TEMPLATE)
        .with("p.json", "{\"Stage\": \"prod\"}")
        .with("home/.aws/config", config)
}

fn run(project: &Folder, words: &[&str], server: &Silent) -> Run {
    let (home, url) = (project.path("home").display().to_string(), server.url());
    let environment = [
        ("HOME", home.as_str()),
        ("AWS_ENDPOINT_URL", &url),
        ("HTTPS_PROXY", &url),
        ("AWS_ACCESS_KEY_ID", "a"),
        ("AWS_SECRET_ACCESS_KEY", "b"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_EC2_METADATA_DISABLED", "true"),
    ];
    project.timed(words, &environment)
}

/// The commands of the program.
fn commands(project: &Folder) -> Vec<String> {
    let help = project.run(&["help"]).out;
    crate::support::help_list::commands_of(&help)
}

/// What a help suggests: its code, without commands that only show something.
fn suggestions(help: &str) -> Vec<String> {
    let code = help.split('`').skip(1).step_by(2);
    code.filter(|code| !code.contains("--no-execute")).map(str::to_owned).collect()
}

fn names(code: &str, words: &[&str]) -> bool {
    code.split(' ').any(|word| words.contains(&word))
}

#[test]
fn every_word_is_answered() {
    let (project, server) = (project("project"), Silent::new());
    let (before, commands, cases) = (project.contents(), commands(&project), cases());
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for case in &cases {
        if case.section == "vague" {
            continue;
        }
        // A word that has become a command needs no answer.
        if case.words.len() == 1 && commands.iter().any(|command| command == case.words[0]) {
            continue;
        }
        let run = run(&project, &case.words, &server);
        let line = case.words.join(" ");
        if let Err(why) = judge(case, &run) {
            wrong.push(format!("{line}: {why}\n{}{}", run.out, run.err));
        }
        refused += usize::from(case.section != "accepted");
        assert!(!server.was_called(), "{line}: {run:?}");
        assert_eq!(project.contents(), before, "{line}: {run:?}");
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(refused >= 120, "{refused} words");
}

fn judge(case: &Case, run: &Run) -> Result<(), String> {
    let all = format!("{}{}", run.out, run.err);
    if all.contains("tip:") || all.contains("'--'") || all.contains("os error") || all.contains("cannot be used: No") {
        return Err("words of a library".to_owned());
    }
    if case.section == "accepted" {
        let has_error = all.lines().any(|line| line.starts_with("error"));
        let is_as_wanted = run.status.to_string() == case.want && !has_error;
        return if is_as_wanted { Ok(()) } else { Err(format!("status {}", run.status)) };
    }
    // The report of `check` is its product.
    let said = if case.words[0] == "check" && run.err.is_empty() { &run.out } else { &run.err };
    if run.status != 2 {
        return Err(format!("status {}", run.status));
    }
    let lines: Vec<&str> = said.lines().collect();
    let is_file = lines.iter().any(|line| line.contains(": no such "));
    if lines.len() < 2
        || !lines[0].starts_with("error")
        || (!is_file && lines.len() != 2 && !case.want.starts_with("FW"))
    {
        return Err("not an error and a help".to_owned());
    }
    if lines[0].chars().count() > 110 || all.contains("Usage:") || all.contains(" --> ") {
        return Err("not one line".to_owned());
    }
    let help = lines[1..].join("\n");
    if !help.contains(case.want) {
        return Err(format!("the help has no {}", case.want));
    }
    if case.section != "refused" && help.contains("hunter2") {
        return Err("the help repeats a value".to_owned());
    }
    opposite(case, &help)
}

/// What is never suggested to somebody who meant something else.
fn opposite(case: &Case, help: &str) -> Result<(), String> {
    let (own, changing) =
        (case.words[0], ["delete", "deploy", "sync", "--yes", "--force-empty-buckets", "--replace-failed"]);
    let turns_off =
        ["--no-verify-ssl", "--exit-zero", "--no-suppress", "--allow-unresolved", "--unsafe-fixes", "--fix"];
    for code in suggestions(help) {
        let is_opposite = match case.section {
            // A command that is typed may be named.
            "harmless" => {
                let others: Vec<&str> = changing.into_iter().filter(|word| *word != own).collect();
                // A list of the commands that have an option suggests none of them.
                let is_list = help.contains("it is an option of");
                names(&code, &turns_off) || names(&code, &others) && !is_list
            }
            "deletes" => names(&code, &["deploy", "sync"]),
            _ => own != "delete" && names(&code, &["delete", "--force-empty-buckets"]) && case.section != "refused",
        };
        if is_opposite {
            return Err(format!("the opposite: {code}"));
        }
    }
    Ok(())
}

/// At most one line in twenty of those that people bring along has an answer that names something else, or nothing.
#[test]
fn the_lines_of_newcomers_are_answered() {
    let lines = include_str!("foreign/newcomers.txt").lines().filter(|line| line.contains(" => ")).count();
    let vague = cases().iter().filter(|case| case.section == "vague").count();
    assert!(lines >= 200 && vague * 20 <= lines, "{vague} of {lines}");
}

#[test]
fn a_stack_and_a_directory_are_taken_without_an_option() {
    let project = Folder::new("foreign", "words");
    let run = project.run(&["init", "shop", "--template", "functions"]);
    assert!(run.status == 0 && project.path("shop/template.yaml").exists(), "{run:?}");
    let run = project.run(&["init", "modules"]);
    assert!(run.status == 0 && project.path("modules/template.yaml").exists(), "{run:?}");
    for words in [&["init", "shop", "--name", "other"][..], &["delete", "shop", "--stack-name", "other"]] {
        let run = project.run(words);
        assert!(run.status == 2 && run.err.contains("cannot be used with"), "{run:?}");
    }
}

#[test]
fn the_format_is_that_of_the_file() {
    let project = project("formats").with("formwork.toml", "format = \"yaml\"\n");
    for (words, is_json) in [
        (&["expand", "t.yaml", "-o", "out.json"][..], true),
        (&["expand", "t.yaml", "-o", "out.yaml"], false),
        (&["resolve", "t.yaml", "--output", "out.JSON"], true),
        (&["package", "t.yaml", "-o", "out.json"], true),
        (&["expand", "t.yaml", "-o", "out.json", "--format", "yaml"], false),
        (&["expand", "t.yaml", "-o", "out.template"], false),
        (&["expand", "t.yaml", "-o", "./json"], false),
    ] {
        let run = project.run(words);
        assert_eq!(run.status, 0, "{run:?}");
        let written = project.path(words[3]);
        let text = std::fs::read_to_string(&written).expect("the output");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), is_json, "{words:?}");
        std::fs::remove_file(written).expect("removed");
    }
}
