//! What people see on a terminal: lines that fit, one line for long work, colors. `script` of util-linux runs the program
//! on a terminal.
//!
//! Holds reference/command-line.md#progress, reference/command-line.md#output.
#![cfg(all(target_os = "linux", feature = "aws"))]

use crate::support::folder::Folder;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: dev, AllowedValues: [dev, prod]}
Resources:
  Fn::ForEach::Topics:
    - Name
    - [Orders, Users]
    - ${Name}Topic:
        Type: AWS::SNS::Topic
        Properties: {DisplayName: !Sub '${Stage}-${Name}-${Nobody}'}
";

/// A function whose build takes a while.
const FUNCTION: &str = "Resources:
  Fast:
    Type: AWS::Lambda::Function
    Metadata: {BuildMethod: makefile}
    Properties: {Runtime: provided.al2023, Handler: bootstrap, Role: arn:aws:iam::123456789012:role/r, Code: fast}
  Slow:
    Type: AWS::Lambda::Function
    Metadata: {BuildMethod: makefile}
    Properties: {Runtime: provided.al2023, Handler: bootstrap, Role: arn:aws:iam::123456789012:role/r, Code: slow}
";

fn project(name: &str) -> Folder {
    Folder::new("terminal", name)
        .with("t.yaml", TEMPLATE)
        .with("old.yaml", &TEMPLATE.replace("${Nobody}", "topic"))
        .with(
            "new.yaml",
            &TEMPLATE
                .replace("${Nobody}", "topic")
                .replace("AWS::SNS::Topic", "AWS::SQS::Queue")
                .replace("DisplayName", "QueueName"),
        )
        .with("build.yaml", FUNCTION)
        .with("fast/Makefile", "build-Fast:\n\ttouch $(ARTIFACTS_DIR)/bootstrap\n")
        .with("slow/Makefile", "build-Slow:\n\tsleep 3\n\ttouch $(ARTIFACTS_DIR)/bootstrap\n")
}

/// Returns what a command prints on a terminal, and its status.
fn on_terminal(folder: &Folder, columns: usize, environment: &str, words: &str) -> String {
    let program = env!("CARGO_BIN_EXE_formwork");
    let line = format!("stty cols {columns} rows 40; {environment} {program} {words}; echo \"[$?]\"");
    let output = folder.command("script").args(["-qec", &line, "/dev/null"]).output().expect("script runs");
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n").replace('\u{4}', "")
}

/// Returns `true` for a line that may be wider: it is of a code frame, or has no space to break at.
fn may_be_wide(line: &str) -> bool {
    let start = line.trim_start();
    start.starts_with('|')
        || start.starts_with("-->")
        || start.starts_with(":::")
        || start.starts_with(|c: char| c.is_ascii_digit()) && start.contains('|')
        || start.starts_with("= more:")
        || !start.contains(' ')
}

#[test]
fn lines_fit_terminals_of_several_widths() {
    let folder = project("widths");
    for columns in [40, 80, 120] {
        let mut all = String::new();
        for words in [
            "check t.yaml --color never",
            "plan old.yaml new.yaml --color never --fail-on destructive",
            "package build.yaml --color never",
            "build build.yaml --resource Fast --color never --no-cached",
            "deploy shop",
        ] {
            let seen = on_terminal(&folder, columns, "TERM=dumb", words);
            for line in seen.lines().filter(|line| !may_be_wide(line)) {
                assert!(line.chars().count() <= columns, "{columns} {words}: {line:?}\n{seen}");
            }
            all.extend(["$ formwork ", words, "\n", &seen]);
        }
        insta::assert_snapshot!(
            format!("terminal_{columns}"),
            all.replace(&folder.path("").display().to_string(), "FOLDER/")
        );
    }
}

#[test]
fn a_verdict_comes_before_the_plan() {
    let folder = project("verdict");
    let seen = on_terminal(&folder, 100, "TERM=dumb", "plan old.yaml new.yaml --color never --fail-on destructive");
    let lines: Vec<&str> = seen.lines().collect();
    assert!(lines[0].starts_with("failed: ") && lines[1].starts_with("new.yaml: "), "{seen}");
}

#[test]
fn long_work_has_one_line_and_only_for_people() {
    let folder = project("progress");
    let build = "build build.yaml --no-cached --color never";
    let seen = on_terminal(&folder, 100, "env -u CI TERM=xterm", build);
    assert!(seen.contains("building 0 of 2 sources, ") || seen.contains("building 1 of 2 sources, "), "{seen:?}");
    // The line is erased before the result.
    let end = seen.rsplit('\u{1b}').next().unwrap_or_default();
    assert!(end.contains("built 2 of 2 sources") && !end.contains("building"), "{seen:?}");
    for (environment, more) in [
        ("env CI=true TERM=xterm", ""),
        ("env -u CI NO_COLOR=1 TERM=xterm", ""),
        ("env -u CI TERM=dumb", ""),
        ("env -u CI TERM=xterm", " --quiet"),
        ("env -u CI TERM=xterm", " 2>err"),
    ] {
        let seen = on_terminal(&folder, 100, environment, &format!("{build}{more}"));
        assert!(!seen.contains("building") && !seen.contains('\u{1b}'), "{environment}{more}: {seen:?}");
        assert!(seen.ends_with("[0]\n"), "{seen:?}");
    }
    let seen = on_terminal(&folder, 100, "env -u CI TERM=xterm", &format!("{build} --verbose"));
    assert!(seen.contains("building Slow (") && seen.contains("built Slow ("), "{seen:?}");
    assert!(!seen.contains(" of 2 sources, "), "{seen:?}");
}

#[test]
fn an_interrupted_build_names_what_is_left() {
    let folder = project("interrupted");
    let program = env!("CARGO_BIN_EXE_formwork");
    let line = format!("timeout -s INT 2 {program} build build.yaml --jobs 1");
    let output = folder.command("sh").args(["-c", &line]).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("interrupted; no template was written; 1 of 2 sources is built, and is not built again"),
        "{said}"
    );
}

#[test]
fn colors_are_forced_and_forbidden() {
    let folder = project("colors");
    for (environment, has_color) in [
        (&[][..], false),
        (&[("FORCE_COLOR", "1")], true),
        (&[("FORCE_COLOR", "0")], false),
        (&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], false),
        (&[("CLICOLOR_FORCE", "1")], true),
    ] {
        let run = folder.timed(&["check", "t.yaml"], environment);
        assert_eq!(run.out.contains('\u{1b}'), has_color, "{environment:?} {run:?}");
        let run = folder.timed(&["check", "t.yaml", "--color", "never"], environment);
        assert!(!run.out.contains('\u{1b}'), "{environment:?}");
    }
}

#[test]
fn the_help_has_groups_at_any_width() {
    let folder = project("help");
    for columns in [40, 80, 120] {
        let seen = on_terminal(&folder, columns, "TERM=dumb", "--help");
        for group in ["Make a project:\n  init ", "Check:\n  check ", "Look at a stack:\n  list ", "More:\n"] {
            assert!(seen.contains(group), "{seen}");
        }
        assert!(seen.lines().all(|line| line.chars().count() <= columns), "{seen}");
    }
}
