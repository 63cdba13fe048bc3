//! Files that do not match their names, and files that must not be lost
//! (reference/command-line.md#project-root, reference/command-line.md#output): every input goes through
//! one loader, and no output replaces an input.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::folder::{Folder, Run};

const TEMPLATE: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";

/// A template that names the file `special`, and the command that reads it.
const NAMED: &[(&str, &str, &[&str])] = &[
    ("module", "Modules:\n  M: {Source: special}\nResources: {}\n", &["check", "t.yaml"]),
    ("archive", "Modules:\n  M: {Source: special.zip/m.yaml}\nResources: {}\n", &["check", "t.yaml"]),
    (
        "insert",
        "Modules:\n  M: {Source: m.yaml}\nResources:\n  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !InsertFile special}}\n",
        &["check", "t.yaml"],
    ),
    (
        "include",
        "Resources:\n  Fn::Transform: {Name: AWS::Include, Parameters: {Location: special}}\n",
        &["check", "t.yaml"],
    ),
    (
        "section",
        "Transform: {Name: AWS::Include, Parameters: {Location: special}}\nResources: {}\n",
        &["check", "t.yaml"],
    ),
    (
        "code",
        "Resources:\n  F: {Type: AWS::Lambda::Function, Properties: {Code: special, Handler: a.b, Role: r, Runtime: python3.13}}\n",
        &["package", "t.yaml", "--plan"],
    ),
    (
        "nested",
        "Resources:\n  S: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: special}}\n",
        &["package", "t.yaml", "--plan"],
    ),
    (
        "ignored",
        "Resources:\n  F: {Type: AWS::Lambda::Function, Properties: {Code: src, Handler: a.b, Role: r, Runtime: python3.13}}\n",
        &["package", "t.yaml", "--plan"],
    ),
];

/// Where the special file is, besides `special`.
fn others(name: &str) -> &'static [&'static str] {
    match name {
        "archive" => &["special.zip"],
        "ignored" => &["src/.formworkignore"],
        _ => &["special"],
    }
}

fn project(name: &str, template: &str) -> Folder {
    Folder::new("files", name)
        .with("t.yaml", template)
        .with("src/a.py", "")
        .with("m.yaml", "Resources:\n  T: {Type: AWS::SNS::Topic}\n")
}

/// Puts a file at a path.
type Put = fn(&std::path::Path);

/// A kind of special file, what puts it in a place, and what the program must print.
const SPECIAL: &[(&str, Put, &str)] = &[
    (
        "pipe",
        |path| {
            let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
            assert!(made.success());
        },
        "it is a named pipe, not a regular file",
    ),
    ("zero", |path| symlink("/dev/zero", path).expect("a link"), "outside the project root"),
    ("environ", |path| symlink("/proc/self/environ", path).expect("a link"), "outside the project root"),
];

/// Runs with a secret in the environment, which must not show.
fn run(folder: &Folder, words: &[&str]) -> Run {
    let run = folder.timed(words, &[("FORMWORK_TEST_SECRET", "hunter2")]);
    assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{words:?}: {run:?}");
    run
}

#[test]
fn special_files_that_a_template_names_are_refused_at_once() {
    for (name, template, words) in NAMED {
        for (kind, put, want) in SPECIAL {
            let folder = project(&format!("{name}-{kind}"), template);
            for path in others(name) {
                put(&folder.path(path));
            }
            let run = run(&folder, words);
            let (report, nothing) = if words[0] == "check" { (&run.out, &run.err) } else { (&run.err, &run.out) };
            assert_eq!((run.status, nothing.as_str()), (1, ""), "{name} {kind}: {report}");
            assert!(report.contains(want), "{name} {kind}: {report}");
        }
    }
}

#[test]
fn special_files_that_the_directory_names_are_refused_at_once() {
    for name in ["samconfig.toml", "formwork.lock"] {
        for (kind, put, want) in SPECIAL {
            for format in ["human", "json"] {
                let folder = project(&format!("{name}-{kind}-{format}"), TEMPLATE);
                put(&folder.path(name));
                let run = run(&folder, &["check", "t.yaml", "--message-format", format]);
                assert_eq!((run.status, run.out.as_str()), (2, ""), "{name} {kind}: {}", run.err);
                assert!(run.err.contains(want) && run.err.contains("FW0010"), "{name} {kind}: {}", run.err);
            }
        }
    }
}

#[test]
fn pipes_named_on_the_command_line_are_read() {
    let folder = project("named", TEMPLATE);
    let script = format!("{} expand <(cat t.yaml)", env!("CARGO_BIN_EXE_formwork"));
    let output = folder.command("bash").args(["-c", &script]).output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), TEMPLATE, "{output:?}");
    for option in ["--parameters-file", "--account", "--config-file"] {
        let run = run(&folder, &["check", "t.yaml", option, "/dev/zero"]);
        assert_eq!(run.status, 2, "{option}: {}", run.err);
        assert!(run.err.contains("FW0010") && run.err.contains("larger than the limit"), "{option}: {}", run.err);
    }
}

#[test]
fn what_is_not_what_its_name_says_is_not_quoted() {
    let text = "SECRET=hunter2 and more\n";
    for name in ["samconfig.toml", "formwork.lock"] {
        let folder = project(&format!("quoted-{name}"), TEMPLATE).with(name, text);
        let run = run(&folder, &["check", "t.yaml"]);
        assert_eq!(run.status, 2, "{}", run.err);
        assert!(run.err.contains("line 1"), "{}", run.err);
    }
    let folder = project("quoted-account", TEMPLATE).with("a.json", text).with("b", "A=1\0SECRET=hunter2\0");
    for words in [&["check", "t.yaml", "--account", "a.json"][..], &["check", "b"]] {
        let run = run(&folder, words);
        assert_eq!(run.status, 1, "{}", run.err);
    }
    let folder = project("quoted-word", TEMPLATE)
        .with("samconfig.toml", "[default.deploy.parameters]\nparameter_overrides = \"A=1 hunter2\"\n");
    let run = run(&folder, &["check", "t.yaml"]);
    assert!(run.status == 2 && run.err.contains("word 2 of parameter_overrides"), "{}", run.err);
}

#[test]
fn the_project_root_is_the_repository_around_the_template() {
    let child = "Modules:\n  M: {Source: ../modules/m.yaml}\nResources: {}\n";
    // What a file of SAM CLI, a lock and a configuration lie beside does not end the project inside of a repository.
    let folder = Folder::new("files", "root")
        .with("a/x/child.yaml", child)
        .with("a/x/samconfig.toml", "")
        .with("a/x/formwork.toml", "")
        .with("a/x/formwork.lock", "version = 1\n")
        .with("a/modules/m.yaml", "Resources:\n  T: {Type: AWS::SNS::Topic}\n");
    let run = folder.run(&["check", "a/x/child.yaml"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let folder = folder.with("a/x/.git", "gitdir: elsewhere\n");
    let run = folder.run(&["check", "a/x/child.yaml"]);
    assert!(run.status == 1 && run.out.contains("is outside the project root"), "{}", run.out);
    let run = folder.run(&["check", "a/x/child.yaml", "--project-root", "a"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(!run.err.contains("//"), "{}", run.err);
}

#[test]
fn a_configuration_in_a_directory_of_its_own_packages_the_code_beside_it() {
    let template = "Transform: AWS::Serverless-2016-10-31\nResources:\n  Fn:\n    Type: AWS::Serverless::Function\n    Properties: {CodeUri: ../src, Handler: a.b, Runtime: python3.13}\n";
    let folder = Folder::new("files", "deploy")
        .with("deploy/template.yaml", template)
        .with("deploy/samconfig.toml", "version = 0.1\n")
        .with("src/a.py", "");
    let run = folder.run(&["package", "deploy/template.yaml", "--plan"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let run = folder.run(&["package", "deploy/template.yaml", "--plan", "--project-root", "deploy"]);
    assert!(run.status == 1 && run.err.contains("is outside the project root"), "{}", run.err);
}

#[test]
fn one_missing_file_does_not_end_a_check() {
    let folder = project("missing", TEMPLATE).with("bad.yaml", "Resources: []\n");
    for command in ["check", "validate"] {
        let run = folder.run(&[command, "none.yaml", "bad.yaml", "*.txt", "t.yaml", "--message-format", "json"]);
        assert_eq!(run.status, 2, "{}", run.err);
        let report = format!("{}{}", run.out, run.err);
        let found: Vec<serde_json::Value> =
            report.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
        let of = |file: &str| found.iter().find(|found| found["file"] == file).map(|found| found["code"].clone());
        assert_eq!(of("none.yaml"), Some("FW0010".into()), "{report}");
        // What does not exist has no place.
        let none = found.iter().find(|found| found["file"] == "none.yaml").expect("the finding");
        assert!(["line", "column", "end_line", "end_column"].iter().all(|place| none[place].is_null()), "{report}");
        assert_eq!(of("*.txt"), Some("FW0010".into()), "{report}");
        assert!(of("bad.yaml").is_some_and(|code| code != "FW0010"), "{report}");
        assert_eq!(found.last().expect("a summary")["summary"]["files"], 2, "{report}");
    }
    for words in [
        &["expand", "none.yaml"][..],
        &["explain", "none.yaml", "Topic"],
        &["rules", "check", "none.yaml"],
        &["deploy", "none.yaml", "--stack-name", "s"],
        &["check", "t.yaml", "--parameters-file", "none.json"],
    ] {
        let run = folder.run(&[words, &["--message-format", "json"]].concat());
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        let first: serde_json::Value = serde_json::from_str(run.err.lines().next().expect("a line")).expect("JSON");
        assert_eq!(first["code"], "FW0010", "{words:?}");
    }
}

#[test]
fn recorded_account_data_replace_no_file_that_the_run_reads_later() {
    let root = "Resources:
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
  Layer: {Type: AWS::Lambda::LayerVersion, Properties: {Content: lone.txt}}
";
    let folder = project("record", TEMPLATE)
        .with("root.yaml", root)
        .with("child.yaml", TEMPLATE)
        .with("lone.txt", "text")
        .with("broken.yaml", "Resources: {}\n");
    let package = ["package", "root.yaml", "--s3-bucket", "file:store", "--bucket-name", "b"];
    let cases = [
        (&["check", "root.yaml"][..], "child.yaml", 2),
        (&["check", "t.yaml", "root.yaml"], "child.yaml", 2),
        (&["check", "t.yaml", "root.yaml"], "root.yaml", 2),
        (&["validate", "t.yaml", "broken.yaml"], "broken.yaml", 2),
        (&package, "child.yaml", 2),
        (&package, "lone.txt", 2),
        (&["check", "t.yaml", "broken.yaml"], "account.json", 1),
        (&["check", "t.yaml", "root.yaml"], "account.json", 0),
    ];
    for (words, record, status) in cases {
        let before = fs::read_to_string(folder.path(record)).ok();
        let run = folder.run(&[words, &["--live", "--region", "eu-west-1", "--record-account", record]].concat());
        assert_eq!(run.status, status, "{words:?} {record}: {}", run.err);
        if status == 0 {
            assert!(folder.path(record).exists(), "{words:?} {record}: {}", run.err);
            continue;
        }
        assert_eq!(fs::read_to_string(folder.path(record)).ok(), before, "{words:?} {record}: {}", run.err);
        assert_eq!(run.err.contains("would overwrite an input"), status == 2, "{words:?} {record}: {}", run.err);
        assert!(!folder.path("store").exists());
    }
}

#[test]
fn a_configuration_file_that_means_nothing_is_one_diagnostic_in_every_command() {
    let settings = [
        ("[", "is never closed"),
        ("[default.global.parameters]\ncapabilities = 3\nparameter_overrides = 3\n", "a list of strings"),
        ("[default.global.parameters]\nparameter_overrides = \"A=1 b\"\n", "word 2 of parameter_overrides"),
        ("[default.deploy.parameters]\non_failure = \"never\"\nparameter_overrides = [1]\n", ""),
        ("[staging.deploy.parameters]\n", "has no environment nope"),
    ];
    for (text, why) in settings {
        let folder = project("settings", TEMPLATE).with("samconfig.toml", text);
        for words in
            [&["deploy", "t.yaml", "--stack-name", "s"][..], &["check", "t.yaml"], &["explain", "t.yaml", "Topic"]]
        {
            let environment: &[&str] = if why.contains("nope") { &["--config-env", "nope"] } else { &[] };
            let run = folder.run(&[words, environment, &["--message-format", "json"]].concat());
            assert_eq!(run.status, 2, "{words:?}: {}", run.err);
            let report = format!("{}{}", run.out, run.err);
            let found: Vec<serde_json::Value> =
                report.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
            assert_eq!(found.len(), 2, "{words:?}: {report}");
            assert_eq!(
                (&found[0]["code"], &found[0]["file"]),
                (&"FW0010".into(), &"samconfig.toml".into()),
                "{report}"
            );
            let message = found[0]["message"].as_str().expect("a message");
            assert!(message.contains(why) && !message.contains('\n'), "{words:?}: {report}");
            let is_helped = found[0]["help"].as_array().is_some_and(|help| !help.is_empty());
            assert_eq!(
                is_helped,
                ["word", "nope", "closed"].iter().any(|one| why.contains(one)),
                "{words:?}: {report}"
            );
        }
    }
}

#[test]
fn pages_are_found_in_any_letter_case() {
    let folder = project("pages", TEMPLATE);
    for code in ["fw1201", "FW1201", "fW0010"] {
        let run = folder.run(&["check", "--explain", code]);
        assert!(run.status == 0 && run.out.starts_with(&format!("# {}:", code.to_uppercase())), "{run:?}");
    }
}

#[test]
fn no_output_replaces_an_input() {
    let template = "Modules:\n  M: {Source: m.yaml}\nResources:\n  F:\n    Type: AWS::Lambda::Function\n    Properties: {Code: src/a.py, Handler: a.b, Role: r, Runtime: python3.13}\n  T: {Type: AWS::SNS::Topic, Properties: {DisplayName: !InsertFile text.txt}}\n  Fn::Transform: {Name: AWS::Include, Parameters: {Location: more.yaml}}\n";
    let snapshot = "{\"FormworkAccountSnapshot\": \"1\"}";
    let folder = project("inputs", template)
        .with("text.txt", "text")
        .with("more.yaml", "More: {Type: AWS::SNS::Topic}\n")
        .with("p.json", "{}")
        .with("account.json", snapshot)
        .with("samconfig.toml", "")
        .with("mine.toml", "")
        .with("store/.keep", "");
    symlink("t.yaml", folder.path("link.yaml")).expect("a link");
    fs::hard_link(folder.path("m.yaml"), folder.path("twin.yaml")).expect("a link");
    let before = folder.contents();
    let expand = ["expand", "t.yaml", "--parameters-file", "p.json", "--account", "account.json"];
    let package =
        ["package", "t.yaml", "--s3-bucket", "file:store", "--bucket-name", "b", "--config-file", "mine.toml"];
    for (words, files) in [
        (&expand[..], &["t.yaml", "m.yaml", "text.txt", "more.yaml", "p.json", "account.json", "samconfig.toml"][..]),
        (&expand, &["link.yaml", "twin.yaml", "./src/../m.yaml"]),
        (&package, &["t.yaml", "m.yaml", "src/a.py", "mine.toml", "link.yaml"]),
    ] {
        for file in files {
            let run = folder.run(&[words, &["-o", file]].concat());
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?} {file}: {}", run.err);
            assert!(run.err.contains("would overwrite an input"), "{file}: {}", run.err);
            assert_eq!(folder.contents(), before, "{words:?} {file}");
        }
    }
    for words in [
        &["expand", "t.yaml", "-o", "x", "--source-map", "x"][..],
        &["expand", "t.yaml", "-o", "x", "--source-map", "./src/../x"],
        &["expand", "t.yaml", "--source-map", "m.yaml"],
        &["modules", "doc", "m.yaml", "-o", "twin.yaml"],
        &["migrate", "rain", "t.yaml", "-o", "link.yaml"],
    ] {
        let run = folder.run(words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert_eq!(folder.contents(), before, "{words:?}");
    }
    let file = fs::File::open(folder.path("t.yaml")).expect("the template");
    let output = folder.formwork(&["expand", "-", "-o", "t.yaml"]).stdin(file).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(folder.contents(), before);
}

#[test]
fn outputs_are_looked_at_before_any_work() {
    let template = "Resources:\n  F: {Type: AWS::Lambda::Function, Properties: {Code: src, Handler: a.b, Role: r, Runtime: python3.13}}\n";
    let folder = project("before", template).with("locked.yaml", "old").with("dir/.keep", "");
    fs::set_permissions(folder.path("locked.yaml"), fs::Permissions::from_mode(0o444)).expect("set");
    for (path, why) in [
        ("none/x.yaml", "does not exist"),
        ("locked.yaml", "it is write-protected"),
        ("dir", "it is a directory"),
        ("new/", "it is the name of a directory"),
    ] {
        for words in [
            &["package", "t.yaml", "--s3-bucket", "file:store", "--bucket-name", "b"][..],
            &["expand", "t.yaml"],
            &["resolve", "t.yaml"],
            &["modules", "doc", "m.yaml"],
            &["account", "snapshot", "--region", "eu-west-1", "--endpoint-url", "http://127.0.0.1:9"],
        ] {
            // `expand` and `resolve` write below a directory.
            if path == "new/" && ["expand", "resolve"].contains(&words[0]) {
                continue;
            }
            let run = folder.run(&[words, &["-o", path]].concat());
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?} {path}: {}", run.err);
            assert!(run.err.contains(why), "{words:?} {path}: {}", run.err);
        }
        let run = folder.run(&["expand", "t.yaml", "--source-map", path, "-o", "out.yaml"]);
        assert!(run.status == 2 && !folder.path("out.yaml").exists(), "{path}: {}", run.err);
    }
    let run = folder.run(&["expand", "-", "-o", "new/"]);
    assert!(run.status == 2 && run.err.contains("it is the name of a directory"), "{run:?}");
    assert!(!folder.path("store").exists(), "nothing was uploaded");
    assert_eq!(fs::read_to_string(folder.path("locked.yaml")).expect("the file"), "old");
}

#[test]
fn links_are_followed_and_modes_stay() {
    let folder = project("mode", TEMPLATE).with("real/out.yaml", "old");
    symlink("real/out.yaml", folder.path("out.yaml")).expect("a link");
    symlink("real/new.yaml", folder.path("new.yaml")).expect("a link");
    fs::set_permissions(folder.path("real/out.yaml"), fs::Permissions::from_mode(0o600)).expect("set");
    for name in ["out.yaml", "new.yaml"] {
        let run = folder.run(&["expand", "t.yaml", "-o", name]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(folder.path(name).is_symlink());
        assert_eq!(fs::read_to_string(folder.path("real").join(name)).expect("written"), TEMPLATE);
    }
    let mode = fs::metadata(folder.path("real/out.yaml")).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // Devices are written as they are, however often they are named.
    let run = folder.run(&["expand", "t.yaml", "-o", "/dev/null", "--source-map", "/dev/null"]);
    assert_eq!(run.status, 0, "{}", run.err);
}
