//! The command `map-back`, and `check --with`: with tools that print a recorded report, and with those that are installed
//! (`FORMWORK_TOOLS`).
//!
//! Holds reference/map-back.md#with, reference/map-back.md#reports.
#![cfg(unix)]

mod hostile;
mod seeded;

use std::os::unix::fs::PermissionsExt;

use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Queues:
    - Name
    - [Orders, Emails]
    - ${Name}Queue:
        Type: AWS::SQS::Queue
        Properties:
          Nam: !Ref Name
";

/// A tool that prints a report about the file that is its last argument.
fn tool(folder: &Folder, name: &str, report: &str) {
    script(folder, name, &format!("for file; do :; done\ncat <<END\n{report}\nEND\nexit 2\n"));
}

/// A program for the shell.
fn script(folder: &Folder, name: &str, text: &str) {
    let path = folder.path(name);
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    std::fs::write(&path, format!("#!/bin/sh\n{text}")).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
}

const REPORT: &str = r#"[
 {"Filename": "$file", "Level": "Error", "Message": "'Nam' was unexpected", "Rule": {"Id": "E3002", "Source": "https://example.com/E3002"},
  "Location": {"Path": ["Resources", "OrdersQueue", "Properties", "Nam"], "Start": {"LineNumber": 5, "ColumnNumber": 7}, "End": {"LineNumber": 5, "ColumnNumber": 10}}},
 {"Filename": "$file", "Level": "Error", "Message": "'Nam' was unexpected", "Rule": {"Id": "E3002"},
  "Location": {"Path": ["Resources", "EmailsQueue", "Properties", "Nam"], "Start": {"LineNumber": 9, "ColumnNumber": 7}, "End": {"LineNumber": 9, "ColumnNumber": 10}}}
]"#;

fn with_tool(name: &str) -> (Folder, String) {
    let folder = Folder::new("map-back", name).with("template.yaml", TEMPLATE);
    tool(&folder, "bin/cfn-lint", REPORT);
    let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
    (folder, path)
}

#[test]
fn findings_of_a_tool_are_reported_once_in_every_form() {
    let (folder, path) = with_tool("with");
    let check = |format: &str| {
        let run = folder.timed(
            &["check", "--no-schemas", "--with", "cfn-lint", "template.yaml", "--message-format", format],
            &[("PATH", &path)],
        );
        assert_eq!(run.status, 1, "{format}: {}", run.err);
        run.out
    };
    assert_eq!(
        check("short"),
        "template.yaml:9:11: error[E3002]: 'Nam' was unexpected [Name=Orders] (2 times)\nFound 1 error in 1 file\n"
    );
    let human = check("human");
    assert!(human.starts_with("error[E3002]: 'Nam' was unexpected\n --> template.yaml:9:11\n"), "{human}");
    assert!(
        human.contains("found by cfn-lint in the expanded template") && human.contains("https://example.com/E3002"),
        "{human}"
    );
    for (format, wanted) in [
        ("json", "{\"code\":\"E3002\",\"tool\":\"cfn-lint\",\"severity\":\"error\""),
        ("sarif", "\"ruleId\": \"E3002\""),
        ("github", "::error file=template.yaml,line=9,endLine=9,col=11,endColumn=14,title=E3002::"),
        ("junit", "name=\"E3002\""),
    ] {
        let text = check(format);
        assert!(text.contains(wanted), "{format}: {text}");
        assert_eq!(text.matches("'Nam' was unexpected").count().min(1), 1);
    }
}

#[test]
fn tools_get_what_the_service_receives() {
    let template = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Level: {Type: String, Default: info}
Resources:
  Fn::ForEach::Tasks:
    - Task
    - [Send, Sweep]
    - ${Task}:
        Type: AWS::Serverless::Function
        Properties:
          CodeUri: ./src
          Handler: index.handler
          Runtime: nodejs22.x
          Environment: {Variables: {LEVEL: !Ref Level}}
  Plain:
    Type: AWS::Lambda::Function
    Properties: {Code: ./plain, Handler: index.handler, Runtime: nodejs22.x, Role: !GetAtt SendRole.Arn}
  Flow:
    Type: AWS::StepFunctions::StateMachine
    Properties: {DefinitionS3Location: flow.json, RoleArn: !GetAtt SendRole.Arn}
";
    let folder = Folder::new("map-back", "received").with("template.yaml", template).with("flow.json", "{}");
    let folder = folder.with("src/index.js", "").with("plain/index.js", "");
    script(&folder, "bin/cfn-lint", "for file; do :; done\ncp \"$file\" \"$SEEN\"\necho '[]'\n");
    let (path, seen) = (format!("{}:/usr/bin:/bin", folder.path("bin").display()), folder.path("seen.yaml"));
    let seen_text = seen.to_string_lossy().into_owned();
    let run = folder.timed(
        &["check", "--no-schemas", "--with", "cfn-lint", "template.yaml"],
        &[("PATH", &path), ("SEEN", &seen_text)],
    );
    assert_eq!(run.status, 0, "{}", run.err);
    let text = std::fs::read_to_string(seen).expect("the template of the tool");
    for wanted in [
        "  SendRole:",
        "  SweepRole:",
        "S3Key: src",
        "S3Key: plain",
        "Bucket: artifacts",
        "Key: flow.json",
        "LEVEL: !Ref Level",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    for other in ["AWS::Serverless", "ForEach", "CodeUri", "./"] {
        assert!(!text.contains(other), "{other}: {text}");
    }
}

#[test]
fn tools_that_are_missing_or_print_no_report_end_the_command() {
    let (folder, path) = with_tool("missing");
    let missing =
        folder.timed(&["check", "--no-schemas", "--with", "checkov", "template.yaml"], &[("PATH", "/nowhere")]);
    assert_eq!(missing.status, 2);
    assert!(
        missing.err.contains("checkov is not installed") && missing.err.contains("pip install checkov"),
        "{}",
        missing.err
    );
    tool(&folder, "bin/cfn-lint", "Traceback: no report");
    let broken = folder.timed(&["check", "--no-schemas", "--with", "cfn-lint", "template.yaml"], &[("PATH", &path)]);
    assert_eq!(broken.status, 2);
    assert!(broken.err.contains("what cfn-lint printed is not JSON"), "{}", broken.err);
    let rules = folder.timed(&["check", "--no-schemas", "--with", "cfn-guard", "template.yaml"], &[("PATH", &path)]);
    assert!(rules.err.contains("--guard-rules PATH"), "{}", rules.err);
}

#[test]
fn a_report_is_mapped_or_refused() {
    let folder = Folder::new("map-back", "report")
        .with("template.yaml", TEMPLATE)
        .with("report.json", &REPORT.replace("$file", "out.yaml"));
    assert_eq!(folder.run(&["expand", "template.yaml", "-o", "out.yaml", "--source-map", "out.map.json"]).status, 0);
    let mapped = folder.run(&["map-back", "--source-map", "out.map.json", "report.json"]);
    assert_eq!(mapped.status, 0, "{}", mapped.err);
    assert!(
        mapped.out.contains("\"Filename\": \"template.yaml\"") && mapped.out.contains("FormworkInstances"),
        "{}",
        mapped.out
    );
    let each =
        folder.run(&["map-back", "--source-map", "out.map.json", "--each", "report.json", "--message-format", "short"]);
    assert!(each.out.ends_with("Found 2 errors in 1 file\n") || each.out.matches("E3002").count() == 1, "{}", each.out);
    let other = Folder::new("map-back", "other").with("out.yaml", "Resources: {}\n").with("report.json", "[]");
    std::fs::copy(folder.path("out.map.json"), other.path("out.map.json")).expect("copied");
    let refused = other.run(&["map-back", "--source-map", "out.map.json", "report.json"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("the report belongs to another expansion"), "{}", refused.err);
    assert_eq!(other.run(&["map-back", "--source-map", "out.map.json", "--force", "report.json"]).status, 0);
    let none = folder.run(&["map-back", "--source-map", "none.json", "report.json"]);
    assert_eq!(none.status, 2);
}
