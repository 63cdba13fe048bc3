//! What happens when the reader of the output ends first (reference/command-line.md#closed-output).
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;

use crate::support::folder::Folder;

/// A template whose expansion, and whose report, are larger than what a pipe holds.
fn project(name: &str) -> Folder {
    let (mut good, mut bad) = (String::from("Resources:\n"), String::from("Resources:\n"));
    let long = "x".repeat(200);
    for number in 0..450 {
        writeln!(good, "  Topic{number}: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: {long}}}}}")
            .expect("a string");
    }
    for number in 0..3000 {
        writeln!(bad, "  Topic{number}: {{Type: AWS::SNS::Topic, DependsOn: Missing{number}}}").expect("a string");
    }
    let many = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::T:\n    - N\n    - [A, B]\n    - \"T${N}\": {Type: AWS::SNS::Topic}\n";
    Folder::new("pipes", name)
        .with("good.yaml", &good)
        .with("bad.yaml", &bad)
        .with("t.yaml", many)
        .with("m.yaml", "Modules: {}\nParameters: {A: {Type: String}}\nResources: {T: {Type: AWS::SNS::Topic}}\n")
}

/// Runs a line of bash; returns the status of the first command of its pipe, its output and its messages.
fn bash(folder: &Folder, line: &str) -> (String, String, String) {
    let mut command = folder.command("bash");
    let program = env!("CARGO_BIN_EXE_formwork");
    command.args(["-c", &format!("formwork() {{ {program} \"$@\"; }}; {line}; echo \"${{PIPESTATUS[0]}}\" >status")]);
    let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().expect("bash runs");
    let status = fs::read_to_string(folder.path("status")).expect("a status");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.trim().to_owned(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_reader_of_a_pipe_may_end_first() {
    let folder = project("head");
    let cases = [
        ("formwork expand good.yaml | head -1", "0", "Resources:"),
        ("formwork expand good.yaml -o /dev/stdout | head -1", "0", "Resources:"),
        ("formwork resolve good.yaml --format json | head -1", "0", "{"),
        ("formwork check bad.yaml --message-format short | head -1", "1", "bad.yaml:1:1: error[FW0901]"),
        ("formwork check bad.yaml --message-format json | head -1", "1", "{\"code\""),
        ("formwork check . --message-format github | head -1", "1", "::error "),
        ("formwork check bad.yaml --message-format json --exit-zero | head -1", "0", "{\"code\""),
        ("formwork man | head -1", "0", "."),
        ("formwork completions bash | head -1", "0", "_formwork"),
    ];
    for (line, status, first) in cases {
        let (found, out, err) = bash(&folder, line);
        assert_eq!((found.as_str(), err.as_str()), (status, ""), "{line}: {out}");
        assert!(out.starts_with(first) && out.lines().count() == 1, "{line}: {out}");
    }
    // The report on standard error.
    let (status, out, err) =
        bash(&folder, "formwork expand bad.yaml --strict --message-format short 2>&1 >/dev/null | head -1");
    assert_eq!((status.as_str(), err.as_str()), ("1", ""), "{out}");
    assert!(out.starts_with("bad.yaml:"), "{out}");
}

const COMMANDS: &[(&[&str], i32)] = &[
    (&["--help"], 0),
    (&["--version"], 0),
    (&["version"], 0),
    (&["expand", "--help"], 0),
    (&["expand", "t.yaml"], 0),
    (&["resolve", "t.yaml", "--format", "json"], 0),
    (&["explain", "t.yaml", "TA"], 0),
    (&["check", "--explain", "FW0010"], 0),
    (&["check", "bad.yaml"], 1),
    (&["validate", "bad.yaml"], 1),
    (&["rules", "table", "m.yaml"], 0),
    (&["package", "t.yaml", "--plan"], 0),
    (&["config", "show", "expand"], 0),
    (&["modules", "doc", "m.yaml"], 0),
    (&["init", "--list"], 0),
];

#[test]
fn a_closed_standard_output_changes_neither_status_nor_messages() {
    let folder = project("closed");
    for (words, status) in COMMANDS {
        let read = folder.run(words);
        assert!(read.status == *status && !read.out.is_empty(), "{words:?}: {read:?}");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = folder.formwork(words).stdout(Stdio::from(writer)).output().expect("it runs");
        assert_eq!(output.status.code(), Some(*status), "{words:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), read.err, "{words:?}");
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let folder = project("full");
    for (words, _) in COMMANDS {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the device");
        let output = folder.formwork(words).stdout(full).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output cannot be written"), "{output:?}");
    }
}
