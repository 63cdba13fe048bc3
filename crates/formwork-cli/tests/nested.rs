//! Local nested templates in the commands that follow them (reference/command-line.md#checks).

use std::path::PathBuf;
use std::process::{Command, Output};

const PARENT: &str = "Parameters:
  Env: {Type: String, Default: prod}
Conditions: {IsTest: !Equals [!Ref Env, test]}
Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: net/network.yaml
      Parameters: {Size: 9}
  Test:
    Type: AWS::CloudFormation::Stack
    Condition: IsTest
    Properties:
      TemplateURL: net/test.yaml
";

const CHILD: &str = "Parameters: {Size: {Type: Number, MaxValue: 5}}
Resources: {Topic: {Type: AWS::SNS::Topic}}
";

/// Used by a stack whose condition is false: its errors do not matter.
const TEST: (&str, &str) =
    ("net/test.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic, Properties: {TopicName: !Ref Nowhere}}}\n");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nested").join(name);
        let _ = std::fs::remove_dir_all(&path);
        // A project of its own: the tests run inside a repository.
        std::fs::create_dir_all(path.join(".git")).expect("a directory");
        for (name, text) in files {
            let path = path.join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        Folder(path)
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        let mut program = Command::new(env!("CARGO_BIN_EXE_formwork"));
        let Output { status, stdout, stderr } =
            program.args(words).current_dir(&self.0).env_clear().output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("a status"), text(stdout), text(stderr))
    }

    /// Diagnostics as JSON, from either stream.
    fn report(&self, words: &[&str]) -> (i32, Vec<serde_json::Value>) {
        let (status, out, err) = self.run(&[words, &["--message-format", "json"]].concat());
        let lines = out.lines().chain(err.lines()).filter(|line| line.starts_with('{'));
        let found = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object a line"));
        (status, found.filter(|object| object["code"].is_string()).collect())
    }
}

#[test]
fn check_and_validate_report_the_child_with_the_stack_as_a_frame() {
    let folder =
        Folder::new("check", &[("app/t.yaml", PARENT), ("app/net/network.yaml", CHILD), ("app/net/test.yaml", TEST.1)]);
    for command in ["check", "validate"] {
        let (status, found) = folder.report(&[command, "app/t.yaml"]);
        assert_eq!((status, found.len()), (1, 1), "{found:?}");
        let error = &found[0];
        assert_eq!(
            (&error["code"], &error["file"], &error["line"]),
            (&"FW0603".into(), &"app/net/network.yaml".into(), &1.into())
        );
        let frame = &error["frames"][0];
        assert_eq!((&frame["kind"], &frame["name"]), (&"stack".into(), &"Network".into()));
        assert_eq!((&frame["file"], &frame["line"]), (&"app/t.yaml".into(), &5.into()));
    }
    // Under a condition that is true the second one counts, too.
    let (_, found) = folder.report(&["check", "app/t.yaml", "--parameter-overrides", "Env=test"]);
    assert_eq!(found.len(), 2, "{found:?}");
    for command in ["expand", "resolve"] {
        assert_eq!(folder.run(&[command, "app/t.yaml"]).0, 0);
    }
}

#[test]
fn a_parameter_that_the_child_lacks_is_reported_at_the_parents_line() {
    let child = "Resources: {Topic: {Type: AWS::SNS::Topic}}\n";
    let folder = Folder::new("lacks", &[("t.yaml", PARENT), ("net/network.yaml", child)]);
    let (status, found) = folder.report(&["check", "t.yaml"]);
    assert_eq!((status, found.len()), (1, 1), "{found:?}");
    assert_eq!(
        (&found[0]["code"], &found[0]["file"], &found[0]["line"]),
        (&"FW0602".into(), &"t.yaml".into(), &9.into())
    );
}

#[test]
fn a_missing_child_has_its_absolute_path_and_a_directory_is_no_template() {
    let folder = Folder::new("missing", &[("t.yaml", PARENT), ("net/other.yaml", CHILD)]);
    let sentence = |path: &str| {
        let full = folder.0.join(path);
        format!(
            "TemplateURL parameter of Network resource is invalid. It must be a S3 URL or path to CloudFormation template file. Actual: {}",
            full.display()
        )
    };
    let (status, out, _) = folder.run(&["check", "t.yaml"]);
    assert!(status == 1 && out.contains(&sentence("net/network.yaml")), "{out}");
    std::fs::create_dir(folder.0.join("net/network.yaml")).expect("a directory");
    let (status, out, _) = folder.run(&["check", "t.yaml"]);
    assert!(status == 1 && out.contains(&sentence("net/network.yaml")) && out.contains("directory"), "{out}");
}

#[test]
fn package_writes_nothing_for_a_broken_child() {
    let folder = Folder::new("package", &[("t.yaml", PARENT), ("net/network.yaml", CHILD), TEST]);
    let words = ["package", "t.yaml", "--s3-bucket", "file:store", "--bucket-name", "b", "-o", "out.yaml"];
    let (status, _, err) = folder.run(&words);
    assert!(status == 1 && err.contains("`Parameter 'Size' must be a number not greater than 5`"), "{err}");
    assert!(!folder.0.join("store").exists() && !folder.0.join("out.yaml").exists());
    // The stack that is not deployed is packaged all the same, and not checked.
    std::fs::write(folder.0.join("t.yaml"), PARENT.replace("Size: 9", "Size: 3")).expect("a file");
    let (status, _, err) = folder.run(&words);
    assert_eq!((status, std::fs::read_dir(folder.0.join("store")).expect("the store").count()), (0, 2), "{err}");
}
