//! Every form of `--message-format` on one template with errors, a warning and a note, with fixes, frames and a
//! suppression (reference/diagnostics.md#forms).

use std::path::PathBuf;
use std::process::Command;

use crate::support::folder::Folder;

/// Its name, and a value that a message quotes, have every character that GitHub and XML escape.
const NAME: &str = "a, b/100% <&>.yaml";
const TEMPLATE: &str = r#"Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics:
    - Name
    - [logs-, logs]
    - Topic&{Name}: {Type: AWS::SNS::Topic}
  Queue:
    Type: AWS::SQS::Queue
    DependsOn: Bus
    Properties:
      QueueName: "jobs-${AWS::Region}"
      Tags: [{Key: Bus, Value: !Ref Bus}]
  Bus:
    Type: AWS::SNS::Topic
    Propertis: {Name: a}
  Handle:
    Type: "100%: <a>, \"b\""
  Other:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: "x ${AWS::Region}"  # formwork: allow FW0408 -- shown as it is
"#;

fn project(name: &str) -> Folder {
    Folder::new("formats", name).with(NAME, TEMPLATE).with("clean.yaml", "Resources: {T: {Type: AWS::SNS::Topic}}\n")
}

fn report(folder: &Folder, format: &str, more: &[&str]) -> String {
    let words = [&["check", NAME, "clean.yaml", "--message-format", format], more].concat();
    let run = folder.run(&words);
    assert_eq!((run.status, run.err.as_str()), (1, ""), "{run:?}");
    run.out.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn each_form_reports_the_same_findings() {
    let folder = project("all").with(".git/.keep", "");
    let codes = ["FW0105", "FW0109", "FW0205", "FW0303", "FW0408"];
    for format in ["human", "short", "json", "sarif", "github", "junit"] {
        let text = report(&folder, format, &[]);
        for code in codes {
            assert!(text.contains(code), "{format} does not report {code}: {text}");
        }
        insta::assert_snapshot!(format, text);
    }
}

/// `FORMWORK_JUNIT` names a directory with the schema of `JUnit` reports that Jenkins uses, and a Python that has
/// `xmlschema`.
#[test]
fn junit_is_valid() {
    let Some(tools) = std::env::var_os("FORMWORK_JUNIT").map(PathBuf::from) else {
        assert!(std::env::var_os("FORMWORK_REQUIRE_JUNIT").is_none(), "FORMWORK_JUNIT is not set");
        eprintln!("SKIPPED: FORMWORK_JUNIT does not name a directory with the schema of JUnit");
        return;
    };
    let folder = project("junit");
    let missing = folder.run(&["check", "none.yaml", "clean.yaml", "--message-format", "junit"]);
    assert_eq!(missing.status, 2, "{missing:?}");
    let clean = folder.run(&["check", "clean.yaml", "--message-format", "junit"]);
    let reports = [report(&folder, "junit", &[]), report(&folder, "junit", &["--strict"]), missing.out, clean.out];
    let program = "import sys, xmlschema\n\
        schema = xmlschema.XMLSchema(sys.argv[1])\n\
        for name in sys.argv[2:]:\n    schema.validate(name)\n";
    let validate = |names: &[&str]| {
        let mut command = Command::new(tools.join("bin/python3"));
        command.args(["-c", program]).arg(tools.join("junit-10.xsd")).args(names).current_dir(folder.path("."));
        command.output().expect("Python starts")
    };
    for (number, text) in reports.iter().enumerate() {
        std::fs::write(folder.path(&format!("{number}.xml")), text).expect("written");
    }
    let run = validate(&["0.xml", "1.xml", "2.xml", "3.xml"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // The schema rejects an element that it does not know.
    std::fs::write(
        folder.path("wrong.xml"),
        reports[0].replace("<testcase ", "<case ").replace("</testcase>", "</case>"),
    )
    .expect("written");
    assert!(!validate(&["wrong.xml"]).status.success());
}

#[test]
fn the_counts_of_junit_are_those_of_its_cases() {
    let folder = project("counts");
    for more in [&[][..], &["--strict"]] {
        let text = report(&folder, "junit", more);
        let cases = text.matches("<testcase ").count();
        let failures = text.matches("<failure ").count();
        let all = format!("<testsuites name=\"formwork\" tests=\"{cases}\" failures=\"{failures}\" errors=\"0\">");
        assert!(text.contains(&all), "{all}: {text}");
        assert_eq!(text.matches("<testsuite ").count(), 2, "{text}");
    }
}
