//! The program as scripts call it (reference/command-line.md#output): what goes to which stream, exit
//! statuses, files.
//!
//! Holds reference/command-line.md#exit-status, reference/command-line.md#samconfig,
//! reference/command-line.md#inputs, reference/diagnostics.md#forms.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const LOOP: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Fn::ForEach::Topics:
    - Name
    - [A, B]
    - Topic${Name}:
        Type: AWS::SNS::Topic
        Properties:
          DisplayName: !Sub ${Name} of ${Stage}
";

const EXPANDED: &str = "Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  TopicA:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Sub A of ${Stage}
  TopicB:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: !Sub B of ${Stage}
";

/// A directory of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = std::fs::remove_dir_all(&path);
        // A project of its own: the tests run inside a repository.
        std::fs::create_dir_all(path.join(".git")).expect("a directory");
        Folder(path)
    }

    fn with(self, name: &str, text: &str) -> Folder {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
        self
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file")
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn run(&self, words: &[&str]) -> Run {
        self.run_with(words, "")
    }

    fn run_with(&self, words: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(words)
            .current_dir(&self.0)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that does not read its input may be gone by now.
        let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        Run::new(&output)
    }
}

#[derive(Debug)]
struct Run {
    status: i32,
    out: String,
    err: String,
}

impl Run {
    fn new(output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Run { status: output.status.code().expect("a status"), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

#[test]
fn the_template_alone_goes_to_standard_output() {
    let folder = Folder::new("output").with("t.yaml", LOOP);
    let run = folder.run(&["expand", "t.yaml"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, EXPANDED, ""));
    let run = folder.run_with(&["expand", "-"], LOOP);
    assert_eq!((run.status, run.out.as_str()), (0, EXPANDED));
    let run = folder.run(&["expand", "t.yaml", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(json["Resources"]["TopicB"]["Properties"]["DisplayName"]["Fn::Sub"], "B of ${Stage}");
    let run = folder.run(&["resolve", "t.yaml", "--parameter-overrides", "Stage=prod"]);
    assert!(run.status == 0 && run.out.contains("DisplayName: B of prod"), "{run:?}");
    let run = folder.run(&["check", "t.yaml"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
}

#[test]
fn after_an_error_there_is_no_output() {
    let wrong = LOOP.replace("[A, B]", "[A, A]");
    let folder = Folder::new("errors").with("t.yaml", &wrong).with("old.yaml", "old");
    for words in [
        &["expand", "t.yaml"][..],
        &["expand", "t.yaml", "-o", "new.yaml"],
        &["expand", "t.yaml", "-o", "old.yaml", "--source-map", "new.map"],
        &["resolve", "t.yaml", "--output", "new.yaml"],
        &["check", "t.yaml"],
        &["check", "t.yaml", "--strict"],
    ] {
        let run = folder.run(words);
        // The report of `check` is its product.
        let (report, nothing) = if words[0] == "check" { (&run.out, &run.err) } else { (&run.err, &run.out) };
        assert_eq!((run.status, nothing.as_str()), (1, ""), "{words:?}");
        assert!(report.contains("error[FW0303]") && report.contains("t.yaml:8:7"), "{report}");
    }
    assert!(folder.read("old.yaml") == "old" && !folder.has("new.yaml") && !folder.has("new.map"));
    let left: Vec<_> = std::fs::read_dir(&folder.0).expect("the directory").collect();
    assert_eq!(left.len(), 3, "the repository and two files: {left:?}");
}

#[test]
fn values_of_parameters_that_are_misread_are_reported() {
    let two = LOOP.replace("Parameters:\n", "Parameters:\n  Other: {Type: String, Default: x}\n");
    let folder = Folder::new("misread").with("t.yaml", &two);
    let run = folder.run(&["expand", "--parameter-overrides", "Stage=a", "t.yaml"]);
    assert!(run.status == 2 && run.err.contains("write TEMPLATE before the option"), "{}", run.err);
    let run = folder.run(&["resolve", "t.yaml", "--parameter-overrides", "Stage=a Other=b"]);
    assert!(run.status == 0 && run.err.contains("the value of Stage contains Other="), "{}", run.err);
    let run = folder.run(&["resolve", "t.yaml", "--parameter-overrides", "Stage=a", "Other=b Other=c"]);
    assert!(run.status == 0 && run.err.is_empty(), "{}", run.err);
}

#[test]
fn bad_usage_has_its_own_status() {
    let folder = Folder::new("usage").with("t.yaml", LOOP);
    for words in [
        &["expand"][..],
        &["nonsense"],
        &["expand", "missing.yaml"],
        &["expand", "t.yaml", "--format", "xml"],
        &["expand", "t.yaml", "--parameters-file", "missing.json"],
        &["expand", "t.yaml", "--account", "missing.json"],
        &["expand", "t.yaml", "-o", "no/such/folder/out.yaml"],
        &["expand", "."],
    ] {
        let run = folder.run(words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(!run.err.is_empty(), "{words:?}");
    }
    for words in [&["--help"][..], &["--version"], &["expand", "--help"]] {
        assert_eq!(folder.run(words).status, 0, "{words:?}");
    }
}

#[test]
fn warnings_are_errors_when_they_are_asked_to_be() {
    let odd = LOOP.replace("!Sub ${Name} of", "${Name} of");
    let folder = Folder::new("strict").with("t.yaml", &odd);
    let run = folder.run(&["expand", "t.yaml"]);
    assert!(run.status == 0 && run.err.contains("warning[FW0307]") && !run.out.is_empty(), "{run:?}");
    let run = folder.run(&["expand", "t.yaml", "--strict"]);
    assert!(run.status == 1 && run.err.contains("error[FW0307]") && run.out.is_empty(), "{run:?}");
    let run = folder.run(&["expand", "t.yaml", "--quiet"]);
    assert!(run.status == 0 && run.err.is_empty(), "{run:?}");
}

#[test]
fn messages_for_machines() {
    let wrong = LOOP.replace("[A, B]", "[A, A]");
    let folder = Folder::new("messages").with("t.yaml", &wrong);
    let run = folder.run(&["check", "t.yaml", "--message-format", "short"]);
    assert!(run.out.starts_with("t.yaml:8:7: error[FW0303]: "), "{}", run.out);
    let run = folder.run(&["check", "t.yaml", "--message-format", "json"]);
    let lines: Vec<serde_json::Value> =
        run.out.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert!(run.err.is_empty(), "{}", run.err);
    let found = &lines[0];
    assert_eq!(found["code"], "FW0303");
    assert_eq!((&found["line"], &found["column"]), (&8.into(), &7.into()));
    assert_eq!(found["severity"], "error");
    assert_eq!(found["frames"][0]["name"], "Name");
}

#[test]
fn files_are_written_whole() {
    let folder = Folder::new("files").with("t.yaml", LOOP);
    let run = folder.run(&["expand", "t.yaml", "-o", "out.yaml", "--source-map", "out.map"]);
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(folder.read("out.yaml"), EXPANDED);
    let map: serde_json::Value = serde_json::from_str(&folder.read("out.map")).expect("JSON");
    assert!(map.is_object());
}

#[test]
fn values_come_in_every_shape() {
    let folder = Folder::new("values")
        .with("t.yaml", LOOP)
        .with("map.json", r#"{"Stage": "one"}"#)
        .with("list.json", r#"[{"ParameterKey": "Stage", "ParameterValue": "two"}]"#)
        .with("words.json", r#"["Stage=three"]"#)
        .with("pipeline.json", r#"{"Parameters": {"Stage": "four"}}"#)
        .with("sync.yaml", "parameters: {Stage: five}\n");
    let shown = |words: &[&str]| {
        let run = folder.run(&[&["resolve", "t.yaml"], words].concat());
        assert_eq!(run.status, 0, "{words:?}: {}", run.err);
        run.out.lines().find(|line| line.contains("DisplayName")).expect("a name").trim().to_owned()
    };
    for (file, value) in [
        ("map.json", "one"),
        ("list.json", "two"),
        ("words.json", "three"),
        ("pipeline.json", "four"),
        ("sync.yaml", "five"),
    ] {
        assert_eq!(shown(&["--parameters-file", file]), format!("DisplayName: A of {value}"));
    }
    assert_eq!(shown(&["--parameters-file", "map.json", "--parameters-file", "list.json"]), "DisplayName: A of two");
    let sam = "ParameterKey=Stage,ParameterValue=six";
    assert_eq!(shown(&["--parameters-file", "map.json", "--parameter-overrides", sam]), "DisplayName: A of six");
    assert_eq!(shown(&["--parameter-overrides", "file://list.json"]), "DisplayName: A of two");
    assert_eq!(shown(&["--parameter-overrides"]), "DisplayName: A of dev");
}

#[test]
fn sams_configuration_lies_beside_the_template() {
    let config = "version = 0.1\n[default.deploy.parameters]\nparameter_overrides = \"Stage=seven\"\n[test.resolve.parameters]\nparameter_overrides = [\"Stage=eight\"]\n";
    let folder = Folder::new("samconfig").with("app/t.yaml", LOOP).with("app/samconfig.toml", config);
    let run = folder.run(&["resolve", "app/t.yaml"]);
    assert!(run.out.contains("A of seven"), "{run:?}");
    let run = folder.run(&["resolve", "app/t.yaml", "--config-env", "test"]);
    assert!(run.out.contains("A of eight"), "{run:?}");
    let run = folder.run(&["resolve", "app/t.yaml", "--parameter-overrides", "Stage=nine"]);
    assert!(run.out.contains("A of nine"), "{run:?}");
}

#[test]
fn an_answer_to_where_it_came_from() {
    let folder = Folder::new("explain").with("t.yaml", LOOP);
    let path = "Resources.TopicB.Properties.DisplayName";
    let run = folder.run(&["explain", "t.yaml", path]);
    assert!(run.status == 0 && run.out.contains("t.yaml:11:24") && run.out.contains("Name = B"), "{run:?}");
    let run = folder.run(&["explain", "t.yaml", path, "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["frames"][0]["value"], "B");
    let run = folder.run(&["explain", "t.yaml", "Resources.TopicC"]);
    assert!(run.status == 0 && run.out.contains("absent: loop Topics has no such item"), "{run:?}");
    let run = folder.run(&["explain", "t.yaml", "Resources.Tropic"]);
    assert!(run.status == 1 && run.out.is_empty() && run.err.contains("Topic"), "{run:?}");
    let run = folder.run(&["check", "--explain", "FW0303"]);
    assert!(run.status == 0 && run.out.contains("# FW0303"), "{run:?}");
}

#[test]
fn nothing_of_the_environment_gets_into_the_output() {
    let folder = Folder::new("environment").with("t.yaml", &LOOP.replace("${Stage}", "${AWS::Region}"));
    let plain = folder.run(&["resolve", "t.yaml"]);
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(["resolve", "t.yaml"])
        .current_dir(&folder.0)
        .envs([("AWS_REGION", "eu-west-1"), ("AWS_DEFAULT_REGION", "eu-west-1"), ("LANG", "C"), ("TZ", "Asia/Tokyo")])
        .output()
        .expect("the program ends");
    assert_eq!(Run::new(&output).out, plain.out);
    assert!(plain.out.contains("!Sub A of ${AWS::Region}"), "{}", plain.out);
}
