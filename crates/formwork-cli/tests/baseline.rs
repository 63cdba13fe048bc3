//! Known findings: passed over, and reported when they are gone.
//!
//! Holds reference/diagnostics.md#baseline.

use serde_json::Value;

use crate::support::folder::{Folder, Run};

const BAD: &str = "Resources:
  A: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Nobody}}
  B: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Nowhere}}
";

fn project(name: &str) -> Folder {
    Folder::new("baseline", name).with("a.yaml", BAD).with("b.yaml", BAD).with(".git/HEAD", "ref: refs/heads/main\n")
}

fn write(folder: &Folder) -> Run {
    folder.run(&["check", ".", "--baseline", "known.json", "--write-baseline"])
}

fn check(folder: &Folder, words: &[&str]) -> Run {
    folder.run(&[&["check"], words, &["--baseline", "known.json"]].concat())
}

fn known(folder: &Folder) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path("known.json")).expect("a baseline");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["version"], 1);
    document["findings"].as_array().expect("findings").clone()
}

#[test]
fn known_findings_are_passed_over_when_lines_move() {
    let folder = project("moved");
    let run = write(&folder);
    assert_eq!((run.status, run.out.as_str()), (0, "No problems found in 2 files; 4 in the baseline\n"), "{run:?}");
    let findings = known(&folder);
    assert_eq!((&findings[0]["file"], &findings[0]["code"]), (&"a.yaml".into(), &"FW0201".into()), "{findings:?}");
    std::fs::write(folder.path("a.yaml"), format!("# moved\n\nDescription: x\n{BAD}")).expect("written");
    let run = check(&folder, &["."]);
    assert_eq!((run.status, run.out.as_str()), (0, "No problems found in 2 files; 4 in the baseline\n"), "{run:?}");
    // A second finding is new, in each form.
    let new = format!("{BAD}  C: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: !Ref Third}}}}\n");
    std::fs::write(folder.path("b.yaml"), new).expect("written");
    for (form, words) in
        [("short", "Third"), ("human", "Third"), ("json", "Third"), ("sarif", "Third"), ("github", "Third")]
    {
        let run = check(&folder, &[".", "--message-format", form]);
        assert!(run.status == 1 && run.out.contains(words), "{run:?}");
        assert!(!run.out.contains("Nobody"), "{run:?}");
    }
    let run = check(&folder, &[".", "--message-format", "json"]);
    let summary: Value = serde_json::from_str(run.out.lines().last().expect("a summary")).expect("JSON");
    assert_eq!((&summary["baseline"]["known"], &summary["summary"]["errors"]), (&4.into(), &1.into()));
}

#[test]
fn findings_that_are_gone_are_named() {
    let folder = project("gone");
    write(&folder);
    std::fs::write(folder.path("a.yaml"), BAD.replace("!Ref Nobody", "x")).expect("written");
    std::fs::remove_file(folder.path("b.yaml")).expect("removed");
    let run = check(&folder, &["."]);
    assert!(run.status == 0 && run.out.contains("known.json: 3 findings are gone; "), "{run:?}");
    assert!(run.out.contains("  FW0201 a.yaml Resources.A"), "{run:?}");
    let run = check(&folder, &[".", "--quiet"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
    let run = check(&folder, &[".", "--message-format", "json"]);
    let summary: Value = serde_json::from_str(run.out.lines().last().expect("a summary")).expect("JSON");
    assert_eq!(summary["baseline"]["gone"].as_array().map(Vec::len), Some(3), "{summary}");
    let run = check(&folder, &[".", "--message-format", "sarif"]);
    assert!(run.err.contains("3 findings are gone"), "{run:?}");
    write(&folder);
    assert_eq!(known(&folder).len(), 1);
}

#[test]
fn what_a_run_does_not_look_for_stays() {
    let folder = project("part");
    write(&folder);
    let before = known(&folder);
    for words in [&["a.yaml"][..], &[".", "--ignore", "FW0201"], &[".", "--select", "FW03"]] {
        let run = check(&folder, words);
        assert!(!run.out.contains("gone"), "{run:?}");
        let run = check(&folder, &[words, &["--write-baseline"]].concat());
        assert_eq!((run.status, known(&folder)), (0, before.clone()), "{run:?}");
    }
    // The same file from another working directory.
    std::fs::create_dir(folder.path("deep")).expect("made");
    let output = folder
        .command(env!("CARGO_BIN_EXE_formwork"))
        .current_dir(folder.path("deep"))
        .args(["check", "../a.yaml", "--baseline", "../known.json"])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn more_findings_than_are_drawn_are_all_known() {
    let topic = |at| format!("  T{at}: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: !Ref Nobody{at}}}}}\n");
    let body = (0..60).map(topic).collect::<Vec<_>>().concat();
    let folder = Folder::new("baseline", "many").with("a.yaml", &format!("Resources:\n{body}"));
    write(&folder);
    assert_eq!(known(&folder).len(), 60);
    let more = format!("Resources:\n{body}  New: {{Type: AWS::SNS::Topic, Properties: {{DisplayName: !Ref Last}}}}\n");
    std::fs::write(folder.path("a.yaml"), more).expect("written");
    let run = check(&folder, &["a.yaml"]);
    assert!(run.status == 1 && run.out.contains("Last"), "{run:?}");
    assert!(run.out.contains("Found 1 error in 1 file; 60 in the baseline"), "{run:?}");
}

#[test]
fn what_is_not_a_baseline_is_refused_and_kept() {
    let folder = project("refused").with("other.json", "{\"a\": 1}").with("broken.yaml", "Resources: [\n");
    let run = check(&folder, &["a.yaml"]);
    assert!(run.status == 2 && run.err.contains("`--write-baseline` writes it"), "{run:?}");
    for words in [&["--baseline", "other.json"][..], &["--baseline", "other.json", "--write-baseline"]] {
        let run = folder.run(&[&["check", "a.yaml"], words].concat());
        assert!(run.status == 2 && format!("{}{}", run.out, run.err).contains("is not a baseline"), "{run:?}");
    }
    assert_eq!(std::fs::read_to_string(folder.path("other.json")).expect("kept"), "{\"a\": 1}");
    let run = check(&folder, &["a.yaml", "missing.yaml", "--write-baseline"]);
    assert!(run.status == 2 && !folder.path("known.json").exists(), "{run:?}");
    let run = folder.run(&["check", "a.yaml", "--write-baseline"]);
    assert!(run.status == 2 && run.err.contains("--baseline"), "{run:?}");
}

#[test]
fn formwork_toml_sets_it_and_does_not_write_it() {
    let folder = project("toml");
    write(&folder);
    let folder = folder.with("formwork.toml", "[check]\nbaseline = \"known.json\"\n");
    let run = folder.run(&["check", "."]);
    assert!(run.status == 0 && run.out.contains("4 in the baseline"), "{run:?}");
    assert!(run.out.contains("formwork.toml sets baseline"), "{run:?}");
    let run = folder.run(&["check", ".", "--no-config"]);
    assert_eq!(run.status, 1, "{run:?}");
    let folder = folder.with("formwork.toml", "[check]\nwrite-baseline = true\n");
    assert_eq!(folder.run(&["check", "."]).status, 2);
}
