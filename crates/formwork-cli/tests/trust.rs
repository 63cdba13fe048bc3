//! Configuration that a stranger wrote (reference/configuration.md, reference/command-line.md).
//!
//! Holds reference/configuration.md#allowed, reference/configuration.md#search, reference/configuration.md#said,
//! reference/command-line.md#samconfig, reference/command-line.md#project-root.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::support::folder::{Folder, Run};

const TEMPLATE: &str = "Parameters:
  Unused: {Type: String}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: \"a ${AWS::Region}\"}}
";

fn create(name: &str, configuration: &str) -> Folder {
    Folder::new("trust", name).with("formwork.toml", configuration).with("template.yaml", TEMPLATE)
}

/// Everything that a run printed.
fn all(run: &Run) -> String {
    format!("{}{}", run.out, run.err)
}

#[test]
fn what_reaches_beyond_the_project_is_an_error_with_its_line() {
    let cases = [
        ("expand", "output", "\"written\""),
        ("expand", "source-map", "\"written\""),
        ("expand", "project-root", "\"/\""),
        ("expand", "allow-remote", "[\"example.com\"]"),
        ("expand", "allow-unresolved", "true"),
        ("expand", "parameters-file", "\"p.json\""),
        ("expand", "parameter-overrides", "[\"Unused=1\"]"),
        ("expand", "account", "\"a.json\""),
        ("expand", "config-file", "\"samconfig.toml\""),
        ("expand", "quiet", "true"),
        ("check", "live", "true"),
        ("check", "endpoint-url", "\"http://127.0.0.1:9\""),
        ("check", "profile", "\"admin\""),
        ("check", "region", "\"eu-west-1\""),
        ("check", "ca-bundle", "\"ca.pem\""),
        ("check", "no-verify-ssl", "true"),
        ("check", "record-account", "\"written\""),
        ("check", "exit-zero", "true"),
        ("check", "no-suppress", "true"),
        ("check", "fix", "true"),
        ("check", "with", "[\"cfn-lint\"]"),
        ("check", "with-config", "true"),
        ("package", "s3-bucket", "\"file:written\""),
        ("package", "output-template-file", "\"written\""),
        ("build", "build-dir", "\"written\""),
        ("deploy", "yes", "true"),
        ("deploy", "role-arn", "\"arn:aws:iam::1:role/r\""),
        ("deploy", "capabilities", "[\"CAPABILITY_IAM\"]"),
        ("delete", "yes", "true"),
    ];
    for (command, key, value) in cases {
        for (table, line) in [(format!("[{command}]\n"), 3), (String::new(), 2)] {
            let project = create("refused", &format!("# A comment.\n{table}{key} = {value}\n"));
            let run = project.run(&[command]);
            let want = format!("formwork.toml:{line}: `{key}` must not be set in formwork.toml");
            assert!(run.status == 2 && run.out.is_empty() && run.err.contains(&want), "{table}{key}: {run:?}");
            assert!(run.err.contains(&format!("pass `--{key}` on the command line")), "{run:?}");
            assert!(!project.path("written").exists(), "{key}");
            // What is about the program alone does not need the file.
            assert_eq!(project.run(&["version"]).status, 0, "{key}");
            assert_eq!(project.run(&["check", "template.yaml", "--no-config"]).status, 0, "{key}");
        }
    }
}

#[test]
fn the_first_key_that_is_refused_is_the_first_of_the_file() {
    let run = create("first", "strict = true\nyes = true\n[check]\nlive = true\n").run(&["check"]);
    assert!(run.status == 2 && run.err.contains("formwork.toml:2: `yes` must not be set"), "{run:?}");
}

#[test]
fn paths_stay_below_the_directory_of_the_file() {
    for (name, configuration) in [
        ("up", "template-root = \"..\"\n"),
        ("up-again", "template-root = \"infra/../../other\"\n"),
        ("absolute", "template-root = \"/\"\n"),
        ("manifest", "[build]\nmanifest = \"../requirements.txt\"\n"),
    ] {
        let run = create(name, configuration).run(&["build"]);
        assert!(run.status == 2 && run.err.contains("is not below the directory of formwork.toml"), "{name}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_elsewhere_or_a_pipe_is_not_read() {
    let outside = Folder::new("trust", "outside").with("formwork.toml", "strict = true\nsecret hunter2\n");
    let project = Folder::new("trust", "link").with("template.yaml", TEMPLATE);
    std::os::unix::fs::symlink(outside.path("formwork.toml"), project.path("formwork.toml")).expect("a link");
    let run = project.run(&["check"]);
    assert!(run.status == 2 && run.err.contains("outside the project root"), "{run:?}");
    assert!(!all(&run).contains("hunter2"), "{run:?}");
    std::fs::remove_file(project.path("formwork.toml")).expect("removed");
    let pipe = std::process::Command::new("mkfifo").arg(project.path("formwork.toml")).status();
    assert!(pipe.expect("mkfifo runs").success());
    let run = project.run(&["check"]);
    assert!(run.status == 2 && run.err.contains("a named pipe"), "{run:?}");
    std::fs::remove_file(project.path("formwork.toml")).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", project.path("formwork.toml")).expect("a link");
    assert_eq!(project.run(&["check"]).status, 2);
}

/// A directory without `.git` that somebody works in is a project to them.
#[cfg(unix)]
#[test]
fn the_working_directory_is_the_project_root_unless_it_is_the_home_directory() {
    let folder = tempfile::tempdir().expect("a directory");
    let base = folder.path().canonicalize().expect("it exists");
    let template = "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Code: ../src, Handler: app.h, Runtime: python3.13, Role: r}
";
    for (name, text) in [("home/shop/deploy/template.yaml", template), ("home/shop/src/app.py", "x = 1\n")] {
        std::fs::create_dir_all(base.join(name).parent().expect("a parent")).expect("a directory");
        std::fs::write(base.join(name), text).expect("written");
    }
    let run = |working: &str, home: &str| {
        let working = base.join(working);
        let template = base.join("home/shop/deploy/template.yaml");
        let template = template.strip_prefix(&working).expect("above the template").display().to_string();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_formwork"));
        command.current_dir(working).env_clear().env("HOME", base.join(home));
        let words = ["package", &template, "--s3-bucket", "file:store", "--bucket-name", "bucket"];
        let output = command.args(words).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (working, home) in [("home/shop", "home"), ("home/shop", "elsewhere")] {
        let (status, errors) = run(working, home);
        assert_eq!(status, Some(0), "{working} {home}: {errors}");
    }
    for (working, home) in [("home/shop/deploy", "home"), ("home", "home"), ("", "home"), ("home/shop", "home/shop")] {
        let (status, errors) = run(working, home);
        assert!(status == Some(1) && errors.contains("../src"), "{working} {home}: {errors}");
    }
}

#[test]
fn the_search_ends_at_the_repository_and_at_the_home_directory() {
    let refused = "yes = true\n";
    let around = Folder::new("trust", "around").with("formwork.toml", refused).with("inner/template.yaml", TEMPLATE);
    assert_eq!(around.below("inner").run(&["check"]).status, 2, "it is part of the repository");
    let around = around.with("inner/.git/HEAD", "");
    assert_eq!(around.below("inner").run(&["check"]).status, 0, "another repository is around");
    // Without a repository: only the home directory is between.
    let folder = tempfile::tempdir().expect("a directory");
    let home = folder.path().join("home");
    std::fs::create_dir_all(home.join("project")).expect("directories");
    std::fs::write(home.join("project/template.yaml"), TEMPLATE).expect("a file");
    for place in [&home, &folder.path().to_owned()] {
        let file = place.join("formwork.toml");
        std::fs::write(&file, refused).expect("a file");
        let run = |home: &std::path::Path| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_formwork"));
            command.current_dir(folder.path().join("home/project")).env_clear().env("HOME", home).arg("check");
            command.output().expect("the program runs").status.code()
        };
        assert_eq!(run(&home), Some(0), "{}", file.display());
        assert_eq!(run(std::path::Path::new("/nowhere/else")), Some(2), "{}", file.display());
        std::fs::remove_file(file).expect("removed");
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_another_user_is_not_read_and_said() {
    let project = create("foreign", "yes = true\n");
    // Only root may change owners.
    if std::os::unix::fs::chown(project.path("formwork.toml"), Some(65_534), None).is_err() {
        return;
    }
    let run = project.run(&["check"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(all(&run).contains("note: formwork.toml is not read: another user owns it"), "{run:?}");
}

#[test]
fn what_files_decide_is_said_once_in_every_format() {
    let configuration = "color = \"never\"\nstrict = false\nignore = [\"FW0408\"]\n[check]\nselect = \"FW04,FW02\"\n";
    let config = "version = 0.1\n[default.global.parameters]\nregion = \"eu-west-1\"\ns3_bucket = \"b\"\n";
    let project = create("said", configuration).with("samconfig.toml", config);
    let run = project.run(&["check"]);
    assert_eq!(run.status, 0, "{run:?}");
    for line in ["note: formwork.toml sets ignore, select\n", "note: samconfig.toml sets region\n"] {
        assert_eq!(all(&run).matches(line).count(), 1, "{run:?}");
    }
    let want = serde_json::json!([
        {"file": "formwork.toml", "keys": ["ignore", "select"]},
        {"file": "samconfig.toml", "keys": ["region"]},
    ]);
    let run = project.run(&["check", "--message-format", "json"]);
    let last: serde_json::Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["configuration"], want, "{run:?}");
    assert!(run.err.lines().all(|line| line.starts_with("template: ")), "{run:?}");
    let run = project.run(&["check", "--message-format", "sarif"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["runs"][0]["properties"]["configuration"], want, "{run:?}");
    for format in ["short", "github", "junit"] {
        let run = project.run(&["check", "--message-format", format]);
        assert_eq!(all(&run).matches("note: formwork.toml sets ignore, select\n").count(), 1, "{format}: {run:?}");
    }
    // Other commands print it, too, and nothing is printed that has no effect.
    let run = project.run(&["expand"]);
    assert!(run.err.contains("note: samconfig.toml sets region\n") && !run.err.contains("formwork.toml"), "{run:?}");
    let run = project.run(&["check", "--select", "FW02", "--ignore", "FW03", "--region", "us-east-1"]);
    assert!(!all(&run).contains("note: "), "the command line decides: {run:?}");
    let run = project.run(&["check", "--no-config", "--message-format", "json"]);
    let last: serde_json::Value = serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON");
    assert!(last.get("configuration").is_none(), "{run:?}");
}

#[test]
fn samconfig_names_no_directory_to_write_to_and_no_file_to_read() {
    let template = "Resources:\n  L: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: src}}\n";
    for (setting, want) in [
        ("s3_bucket = \"file:/tmp/formwork-store\"", "s3_bucket is a directory, which only the command line may name"),
        ("s3_bucket = \"file:store\"", "s3_bucket is a directory, which only the command line may name"),
        ("parameter_overrides = \"file://secret.json\"", "parameter_overrides names a file with `file://`"),
        ("parameter_overrides = [\"A=b\", \"file:///etc/x=y\"]", "parameter_overrides names a file with `file://`"),
    ] {
        let config = format!("version = 0.1\n[default.global.parameters]\n{setting}\n");
        let project = Folder::new("trust", "store").with("template.yaml", template).with("samconfig.toml", &config);
        let project = project.with("src/a.py", "").with("secret.json", "{\"A\": \"hunter2\"}");
        let run = project.run(&["package", "--bucket-name", "b"]);
        assert!(run.status == 2 && run.err.contains(want), "{setting}: {run:?}");
        assert!(!project.path("store").exists() && !all(&run).contains("hunter2"), "{setting}: {run:?}");
        assert!(!project.run(&["package", "--no-config", "--plan"]).err.contains("samconfig"), "{setting}");
    }
    // What SAM CLI writes is none of Formwork's outputs.
    let config = "version = 0.1\n[default.package.parameters]\noutput_template_file = \"written\"\n[default.build.parameters]\nbuild_dir = \"written\"\n";
    let project = Folder::new("trust", "outputs").with("template.yaml", TEMPLATE).with("samconfig.toml", config);
    for command in ["package", "build"] {
        assert_eq!(project.run(&[command]).status, 0, "{command}");
        assert!(!project.path("written").exists(), "{command}");
    }
}

#[test]
fn many_keys_are_read_in_linear_time() {
    let codes = vec!["\"FW0307\""; 60_000].join(", ");
    let mut text = format!("[check]\nignore = [{codes}]\n[parameters.all]\n");
    for number in 0..60_000 {
        writeln!(text, "Key{number} = \"{number}\"").expect("a string");
    }
    for number in 0..20_000 {
        writeln!(text, "[parameters.set{number}]\nA = 1").expect("a string");
    }
    let project = create("many", &text);
    let start = Instant::now();
    let run = project.run(&["check", "--parameter-set", "all"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}
