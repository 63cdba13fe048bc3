//! What `check` reports, leaves out and fixes.
//!
//! Holds reference/diagnostics.md#suppression, reference/diagnostics.md#selection, reference/diagnostics.md#fixes,
//! reference/diagnostics.md#fingerprints, reference/command-line.md#exit-status.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::folder::Folder;
use serde_json::Value;

const TEMPLATE: &str = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: \"a ${AWS::Region}\"  # formwork: allow FW0408 -- by the application
      TopicName: \"b ${AWS::Region}\"
  Queue:
    Type: AWS::SQS::Queue
    DependsOn: Topic
    Propertis:
      QueueName: !GetAtt Topic.TopicName
";

const FIXABLE: &str = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Propertis: {TopicName: a}  # the name
  Queue:
    Type: AWS::SQS::Queue
    DependsOn: Topic
    Properties:
      QueueName: !GetAtt Topic.TopicName
      MessageRetentionPeriod: 60
";

fn json(text: &str) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let summary = lines.pop().expect("a summary")["summary"].clone();
    (lines, summary)
}

fn codes(found: &[Value]) -> Vec<&str> {
    found.iter().filter_map(|one| one["code"].as_str()).collect()
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("the file")
}

#[test]
fn the_summary_counts_what_was_found() {
    let folder = Folder::new("check", "summary").with("t.yaml", TEMPLATE);
    let run = folder.run(&["check", "t.yaml"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.out.ends_with("Found 1 error, 1 warning in 1 file; 1 fixable with --fix, 1 suppressed\n"),
        "{}",
        run.out
    );
    let (_, summary) = json(&folder.run(&["check", "t.yaml", "--message-format", "json"]).out);
    for (name, count) in [("errors", 1), ("warnings", 1), ("files", 1), ("suppressed", 1), ("fixable", 1)] {
        assert_eq!(summary[name], count, "{name}: {summary}");
    }
}

#[test]
fn codes_are_selected_and_ignored() {
    let folder = Folder::new("check", "select").with("t.yaml", TEMPLATE);
    let run = |words: &[&str]| {
        let run = folder.run(&[&["check", "t.yaml", "--message-format", "json"], words].concat());
        (run.status, json(&run.out).0.iter().map(|one| one["code"].to_string()).collect::<String>())
    };
    // An error that makes the output wrong is not hidden.
    assert_eq!(run(&["--ignore", "FW01,FW0408"]), (1, "\"FW0105\"".to_owned()));
    assert_eq!(run(&["--select", "FW02"]), (1, "\"FW0105\"".to_owned()));
    assert_eq!(run(&["--select", "FW04xx", "--exit-zero"]), (0, "\"FW0408\"\"FW0105\"".to_owned()));
    assert_eq!(run(&["--no-suppress", "--select", "FW0408"]).1, "\"FW0408\"\"FW0408\"\"FW0105\"");
    for option in ["--select", "--ignore"] {
        let run = folder.run(&["check", "t.yaml", option, "FW0498"]);
        assert!(run.status == 2 && run.err.contains("FW0501"), "{run:?}");
    }
    let run = folder.run(&["validate", "t.yaml", "--ignore", "FW0408", "--exit-zero"]);
    assert!(run.status == 0 && !run.out.contains("FW0408"), "{run:?}");
}

#[test]
fn unselected_warnings_do_not_count_under_strict() {
    let folder = Folder::new("check", "strict").with("t.yaml", &TEMPLATE.replace("Propertis", "Properties"));
    assert_eq!(folder.run(&["check", "t.yaml", "--strict"]).status, 1);
    assert_eq!(folder.run(&["check", "t.yaml", "--strict", "--ignore", "FW0408"]).status, 0);
}

#[test]
fn fixes_are_written_to_the_template() {
    let folder = Folder::new("check", "fix").with("t.yaml", FIXABLE);
    let diff = folder.run(&["check", "t.yaml", "--diff"]);
    assert_eq!((diff.status, diff.err.as_str()), (1, "Would fix 2 diagnostics in 1 file\n"), "{diff:?}");
    let wanted = "--- t.yaml
+++ t.yaml
@@ -1,10 +1,9 @@
 Resources:
   Topic:
     Type: AWS::SNS::Topic
-    Propertis: {TopicName: a}  # the name
+    Properties: {TopicName: a}  # the name
   Queue:
     Type: AWS::SQS::Queue
-    DependsOn: Topic
     Properties:
       QueueName: !GetAtt Topic.TopicName
       MessageRetentionPeriod: 60
";
    assert_eq!(diff.out, wanted);
    assert_eq!(read(&folder, "t.yaml"), FIXABLE);
    let run = folder.run(&["check", "t.yaml", "--fix"]);
    assert_eq!(
        (run.status, run.out.as_str()),
        (0, "Fixed 2 diagnostics in 1 file\nNo problems found in 1 file\n"),
        "{run:?}"
    );
    assert_eq!(
        read(&folder, "t.yaml"),
        FIXABLE.replace("Propertis", "Properties").replace("    DependsOn: Topic\n", "")
    );
    assert_eq!(folder.run(&["check", "t.yaml", "--diff"]).status, 0);
}

#[cfg(unix)]
#[test]
fn an_edit_that_is_saved_while_fixes_are_found_is_not_lost() {
    let folder = Folder::new("check", "edited").with("a.yaml", FIXABLE);
    let edit = format!("{FIXABLE}# edited\n");
    let words = ["check", "--fix", "a.yaml", "--parameters-file", "p.json"];
    let (status, err) = crate::fmt::edited_meanwhile(&folder, &words, "p.json", "{}", &edit);
    assert_eq!(std::fs::read_to_string(folder.path("a.yaml")).expect("a file"), edit, "{status} {err}");
}

#[test]
fn unsafe_fixes_are_asked_for() {
    let text = "Parameters: {Stage: {Type: String}}\nResources: {A: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Stge}}}\n";
    let folder = Folder::new("check", "unsafe").with("t.yaml", text);
    assert_eq!(folder.run(&["check", "t.yaml", "--fix"]).status, 1);
    assert_eq!(read(&folder, "t.yaml"), text);
    let run = folder.run(&["check", "t.yaml", "--fix", "--unsafe-fixes"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(read(&folder, "t.yaml"), text.replace("Stge", "Stage"));
}

#[test]
fn a_fix_that_brings_something_else_is_refused() {
    // The name that is meant is taken: it would be a duplicate.
    let text = "Resources:\n  A:\n    Type: AWS::SNS::Topic\n    Properties: {}\n    Propertie: {TopicName: a}\n";
    let folder = Folder::new("check", "refused").with("t.yaml", text);
    let run = folder.run(&["check", "t.yaml", "--fix"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.err.contains("t.yaml:5:5: not fixed") && run.err.contains("FW0003"), "{}", run.err);
    assert_eq!(read(&folder, "t.yaml"), text);
}

#[test]
fn standard_input_is_fixed_on_standard_output() {
    let folder = Folder::new("check", "stdin");
    let with_input = |words: &[&str]| {
        let mut command = folder.formwork(words);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(FIXABLE.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    };
    let (out, err) = with_input(&["check", "-", "--fix"]);
    assert!(out.starts_with("Resources:\n") && out.contains("    Properties: {TopicName: a}  # the name\n"), "{out}");
    assert_eq!(err, "Fixed 2 diagnostics in 1 file\nNo problems found in 1 file\n");
    // Files beside it are written, and not printed.
    std::fs::write(folder.path("t.yaml"), FIXABLE).expect("written");
    let (beside, _) = with_input(&["check", "t.yaml", "-", "--fix"]);
    assert_eq!((beside, read(&folder, "t.yaml")), (out.clone(), out));
    let (out, _) = with_input(&["check", "-", "--diff"]);
    assert!(out.starts_with("--- stdin\n+++ stdin\n"), "{out}");
}

#[test]
fn many_files_are_fixed_and_others_are_left_as_they_are() {
    let good = "Resources:\n  A: {Type: AWS::SNS::Topic}\n";
    let mut folder = Folder::new("check", "fix-many").with("good.yaml", good);
    for number in 0..20 {
        folder = folder.with(&format!("bad{number}.yaml"), &good.replace("Type", "Typ"));
    }
    let run = folder.run(&["check", ".", "--fix"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("Fixed 20 diagnostics in 20 files"), "{}", run.out);
    for number in 0..20 {
        assert_eq!(read(&folder, &format!("bad{number}.yaml")), good);
    }
}

/// Whichever of them comes first.
#[test]
fn nested_templates_are_fixed_before_those_that_have_them() {
    let child = "Resources:\n  A: {Type: AWS::SNS::Topic}\n";
    let mut folder = Folder::new("check", "fix-nested");
    for number in 0..30 {
        let stack = format!("{{Type: AWS::CloudFormation::Stack, Properties: {{TemplateURL: z/{number}.yaml}}}}");
        folder = folder
            .with(&format!("{number}.yaml"), &format!("Resources:\n  S: {stack}\n"))
            .with(&format!("z/{number}.yaml"), &child.replace("Type", "Typ"));
    }
    let run = folder.run(&["check", ".", "--fix"]);
    let told = "Fixed 30 diagnostics in 30 files\nNo problems found in 60 files\n";
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, told, ""));
    assert!((0..30).all(|number| read(&folder, &format!("z/{number}.yaml")) == child));
}

#[test]
fn fingerprints_survive_edits_above() {
    let folder = Folder::new("check", "fingerprints").with("t.yaml", TEMPLATE);
    let fingerprints = || {
        let (found, _) = json(&folder.run(&["check", "t.yaml", "--message-format", "json"]).out);
        let own: Vec<String> = found.iter().map(|one| format!("{}{}", one["code"], one["fingerprint"])).collect();
        let run = folder.run(&["check", "t.yaml", "--message-format", "sarif"]);
        let document: Value = serde_json::from_str(&run.out).expect("JSON");
        let results = document["runs"][0]["results"].as_array().expect("results").iter();
        let sarif = results.map(|one| format!("{}{}", one["ruleId"], one["partialFingerprints"]["formworkSite/v1"]));
        (own, sarif.collect::<Vec<_>>())
    };
    let before = fingerprints();
    assert!(before.0.iter().all(|one| before.1.contains(one)), "{before:?}");
    let moved = TEMPLATE
        .replace("Resources:\n", "Description: moved\n# and\n# moved\nResources:\n  New: {Type: AWS::SNS::Topic}\n");
    std::fs::write(folder.path("t.yaml"), moved).expect("written");
    assert_eq!(fingerprints(), before);
    let mut all = before.1;
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

fn sarif(name: &str) -> (Folder, Value) {
    let folder = Folder::new("check", name).with("my stack.yaml", TEMPLATE);
    let run = folder.run(&["check", ".", "none.yaml", "--message-format", "sarif"]);
    (folder, serde_json::from_str(&run.out).expect("JSON"))
}

#[test]
fn sarif_has_what_is_suppressed() {
    let (_, document) = sarif("suppressed");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let suppressed: Vec<&Value> = results.iter().filter(|result| !result["suppressions"].is_null()).collect();
    let [one] = suppressed.as_slice() else { panic!("{suppressed:?}") };
    assert_eq!(
        (&one["ruleId"], &one["locations"][0]["physicalLocation"]["region"]["startLine"]),
        (&"FW0408".into(), &5.into())
    );
    let suppression =
        serde_json::json!([{"kind": "inSource", "status": "accepted", "justification": "by the application"}]);
    assert_eq!(one["suppressions"], suppression);
    let fixes = results.iter().filter(|result| !result["fixes"].is_null()).count();
    assert!(fixes >= 1, "{results:?}");
}

/// `FORMWORK_SARIF` names a directory with the schema of SARIF 2.1.0 and a Python that has `jsonschema`.
#[test]
fn sarif_is_valid() {
    let Some(tools) = std::env::var_os("FORMWORK_SARIF").map(PathBuf::from) else {
        assert!(std::env::var_os("FORMWORK_REQUIRE_SARIF").is_none(), "FORMWORK_SARIF is not set");
        eprintln!("SKIPPED: FORMWORK_SARIF does not name a directory with the schema of SARIF");
        return;
    };
    let (folder, document) = sarif("valid");
    std::fs::write(folder.path("report.json"), document.to_string()).expect("written");
    let program = "import json, sys, jsonschema\n\
        schema = json.load(open(sys.argv[1]))\n\
        jsonschema.validators.validator_for(schema)(schema).validate(json.load(open(sys.argv[2])))\n";
    let run = Command::new(tools.join("bin/python3"))
        .args(["-c", program])
        .arg(tools.join("sarif-2.1.0.json"))
        .arg(folder.path("report.json"))
        .output()
        .expect("Python starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn codes_come_in_the_order_of_the_template() {
    let folder = Folder::new("check", "order").with("t.yaml", TEMPLATE);
    let (found, _) = json(&folder.run(&["check", "t.yaml", "--message-format", "json"]).out);
    assert_eq!(codes(&found), ["FW0408", "FW0105"]);
}

#[test]
fn declarations_of_computed_parts_are_pruned() {
    let text = "Transform: AWS::LanguageExtensions
Mappings:
  Names: {All: {List: [A, B]}}
  Idle: {All: {List: [C]}}
Resources:
  Fn::ForEach::Topics:
    - Name
    - !FindInMap [Names, All, List]
    - Topic${Name}: {Type: AWS::SNS::Topic}
";
    let folder = Folder::new("check", "prune").with("t.yaml", text);
    let kept = folder.run(&["expand", "t.yaml"]);
    assert!(kept.out.contains("Names:"), "{}", kept.out);
    let run = folder.run(&["expand", "t.yaml", "--prune"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(!run.out.contains("Names:") && run.out.contains("Idle:") && run.out.contains("TopicB:"), "{}", run.out);
    assert!(run.err.contains("mapping Names"), "{}", run.err);
}

/// A template with an error of every command.
const WRONG: &str = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Select [5, [a, b]]
";

#[test]
fn an_error_that_is_named_in_full_is_ignored_and_counted() {
    let folder = Folder::new("check", "ignored").with("t.yaml", WRONG);
    let summary = |words: &[&str]| {
        let run = folder.run(&[&["check", "t.yaml", "--message-format", "json"], words].concat());
        let last: serde_json::Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON");
        let count = |name: &str| last["summary"][name].as_u64().expect("a number");
        (run.status, count("errors"), count("ignored"), count("suppressed"))
    };
    assert_eq!(summary(&[]), (1, 1, 0, 0));
    for range in ["FW", "FW04", "FW040", "FW040x", "FWxxxx"] {
        assert_eq!(summary(&["--ignore", range]), (1, 1, 0, 0), "{range}");
    }
    assert_eq!(summary(&["--select", "FW0307"]), (1, 1, 0, 0), "another code is selected");
    assert_eq!(summary(&["--ignore", "FW0402"]), (0, 0, 1, 0));
    assert_eq!(summary(&["--ignore", "FW0402", "--strict"]), (0, 0, 1, 0));
    let run = folder.run(&["check", "t.yaml", "--ignore", "FW0402"]);
    assert_eq!((run.status, run.out.as_str()), (0, "No problems found in 1 file; 1 ignored\n"));
    assert_eq!(folder.run(&["validate", "t.yaml", "--ignore", "FW0402"]).status, 0);
    // formwork.toml, too, which a note names.
    let folder = folder.with("formwork.toml", "ignore = [\"FW0402\"]\n");
    let run = folder.run(&["check", "t.yaml"]);
    assert_eq!(run.out, "note: formwork.toml sets ignore\nNo problems found in 1 file; 1 ignored\n");
    let run = folder.run(&["expand", "t.yaml"]);
    assert!(run.status == 1 && run.out.is_empty(), "nothing is written with an error: {run:?}");
}

#[test]
fn an_error_is_suppressed_in_checks_by_its_full_code_with_a_reason() {
    let with = |comment: &str| {
        WRONG.replace("!Select [5, [a, b]]\n", &format!("!Select [5, [a, b]]  # formwork: allow {comment}\n"))
    };
    let folder = Folder::new("check", "suppressed-error")
        .with("full.yaml", &with("FW0402 -- a macro adds it"))
        .with("bare.yaml", &with("FW0402"))
        .with("range.yaml", &with("FW04 -- a macro adds it"));
    for command in ["check", "validate"] {
        let run = folder.run(&[command, "full.yaml"]);
        assert_eq!((run.status, run.out.as_str()), (0, "No problems found in 1 file; 1 suppressed\n"), "{command}");
        let run = folder.run(&[command, "full.yaml", "--no-suppress"]);
        assert!(run.status == 1 && run.out.contains("FW0402"), "{run:?}");
        for file in ["bare.yaml", "range.yaml"] {
            let run = folder.run(&[command, file, "--message-format", "short"]);
            assert!(run.status == 1 && run.out.contains("FW0402") && run.out.contains("FW1103"), "{file}: {run:?}");
        }
    }
    // An output would be wrong, and the suppression is not an error; also of a nested template that is packaged.
    let parent = "Resources:\n  Full: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: full.yaml}}\n";
    let folder = folder.with("parent.yaml", parent);
    assert_eq!(folder.run(&["check", "parent.yaml"]).status, 0);
    let run = folder.run(&["package", "parent.yaml", "--plan", "--message-format", "short"]);
    assert!(run.status == 1 && run.err.contains("FW0402"), "{run:?}");
    for command in ["expand", "resolve"] {
        let run = folder.run(&[command, "full.yaml", "--message-format", "short"]);
        assert!(run.status == 1 && run.out.is_empty(), "{run:?}");
        assert!(run.err.contains("FW0402") && !run.err.contains("FW1103"), "{run:?}");
    }
}

/// What somebody can write into a file is more than anybody reads, and than fits into memory as a document.
#[test]
fn of_very_many_diagnostics_the_worst_are_shown_and_all_are_counted() {
    const ALL: usize = 10_003;
    let tags: Vec<String> = (0..ALL).map(|at| format!("        - {{Key: k{at}, Value: !Ref Nope{at}}}\n")).collect();
    // Notes come first.
    let notes: Vec<String> = (0..50)
        .map(|at| format!("  N{at}: {{Type: AWS::SNS::Topic, DependsOn: T, Properties: {{TopicName: !Ref T}}}}\n"))
        .collect();
    let (tags, notes) = (tags.concat(), notes.concat());
    let text = format!(
        "Resources:\n  T: {{Type: AWS::SNS::Topic}}\n{notes}  R:\n    Type: AWS::SNS::Topic\n    Properties:\n      Tags:\n{tags}"
    );
    let folder = Folder::new("check", "very-many").with("template.yaml", &text);
    let check = |format: &str| {
        let run = folder.run(&["check", "--no-schemas", "template.yaml", "--message-format", format]);
        assert_eq!(run.status, 1, "{format}: {}", run.err);
        run
    };
    let told = |count: usize| format!("template.yaml: 10000 of {count} diagnostics are shown, errors first");
    let (found, summary) = json(&check("json").out);
    let (errors, notes) = (summary["errors"].as_u64(), summary["notes"].as_u64());
    let all = usize::try_from(errors.unwrap_or(0) + notes.unwrap_or(0) + summary["warnings"].as_u64().unwrap_or(0));
    let all = all.expect("a number");
    assert!(errors >= Some(ALL as u64) && notes == Some(50), "{summary}");
    let is_shown = |one: &&serde_json::Value| one.get("code").is_some() && one["message"] != *told(all);
    let shown: Vec<_> = found.iter().filter(is_shown).collect();
    assert_eq!(shown.len(), 10_000);
    assert!(shown.iter().all(|one| one["severity"] == "error"));
    assert!(found.iter().any(|one| one["message"] == *told(all)), "{:?}", found.last());
    let short = check("short").out;
    assert!(short.contains(&told(all)) && short.lines().count() == 10_002, "{}", short.lines().count());
    assert!(
        short.ends_with(&format!("Found {} errors, 50 notes in 1 file; 50 fixable with --fix\n", errors.unwrap_or(0))),
        "{}",
        &short[short.len() - 200..]
    );
    let sarif = check("sarif");
    let document: Value = serde_json::from_str(&sarif.out).expect("JSON");
    assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(10_000));
    assert!(sarif.err.contains(&told(all)), "{}", sarif.err);
    // For people, of each code the first ones are drawn, as ever.
    let human = check("human").out;
    assert!(
        !human.contains("are shown, errors first") && human.contains("more; `--message-format short` shows"),
        "{human}"
    );
    let few = Folder::new("check", "not-so-many").with("template.yaml", TEMPLATE);
    assert!(!few.run(&["check", "template.yaml", "--message-format", "short"]).out.contains("are shown"));
}
