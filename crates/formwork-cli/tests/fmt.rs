//! The command `fmt`.
//!
//! Holds reference/formatting.md#command, reference/formatting.md#style.

use std::io::Write;
use std::process::Stdio;

use crate::support::folder::Folder;

const UGLY: &str = "Resources:\n    Topic:   {Type: \"AWS::SNS::Topic\"}\n";
const PRETTY: &str = "Resources:\n    Topic: {Type: \"AWS::SNS::Topic\"}\n";

fn folder(name: &str) -> Folder {
    Folder::new("fmt", name)
        .with("a.yaml", UGLY)
        .with("deep/b.yaml", PRETTY)
        .with("deep/c.formwork-test.yaml", "FormworkTest:   1\n")
        .with("values.yaml", "Stage:   prod\n")
}

fn text(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a file")
}

#[test]
fn check_and_diff_write_nothing_and_end_with_status_1() {
    let folder = folder("check");
    let check = folder.run(&["fmt", "--check"]);
    assert_eq!((check.status, check.out.as_str(), check.err.as_str()), (1, "a.yaml\ndeep/c.formwork-test.yaml\n", ""));
    for words in [&["fmt", "--diff", "a.yaml"][..], &["fmt", "--check", "--diff", "a.yaml"]] {
        let diff = folder.run(words);
        assert_eq!(diff.status, 1);
        assert!(diff.out.starts_with("--- a.yaml\n+++ a.yaml\n@@"), "{}", diff.out);
    }
    assert_eq!(text(&folder, "a.yaml"), UGLY);
}

#[test]
fn templates_and_tests_of_a_directory_are_rewritten_once() {
    let folder = folder("write");
    let done = folder.run(&["fmt", ".", "a.yaml"]);
    assert_eq!((done.status, done.err.as_str()), (0, "2 files reformatted, 1 left unchanged\n"));
    assert_eq!(text(&folder, "a.yaml"), PRETTY);
    assert_eq!(text(&folder, "values.yaml"), "Stage:   prod\n", "no template");
    let again = folder.run(&["fmt"]);
    assert_eq!((again.status, again.err.as_str()), (0, "0 files reformatted, 3 left unchanged\n"));
    // Who names a file means it.
    assert_eq!(folder.run(&["fmt", "values.yaml", "-q"]).status, 0);
    assert_eq!(text(&folder, "values.yaml"), "Stage: prod\n");
}

/// A run that has read a template and waits for a pipe; the template is edited meanwhile.
#[cfg(unix)]
pub(crate) fn edited_meanwhile(folder: &Folder, words: &[&str], pipe: &str, sent: &str, edit: &str) -> (i32, String) {
    let path = folder.path(pipe);
    assert!(folder.command("mkfifo").arg(&path).status().expect("mkfifo runs").success());
    let mut run = folder.formwork(words);
    let run = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // It opens the pipe when it is ready to read it, after the template or beside it.
    let mut writer = std::fs::OpenOptions::new().write(true).open(&path).expect("somebody reads");
    std::thread::sleep(std::time::Duration::from_secs(1));
    std::fs::write(folder.path("a.yaml"), edit).expect("saved");
    writer.write_all(sent.as_bytes()).expect("sent");
    drop(writer);
    let output = run.wait_with_output().expect("it ends");
    (output.status.code().expect("a status"), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn an_edit_that_is_saved_meanwhile_is_not_lost() {
    let folder = folder("edited");
    let edit = "Resources:\n    Edited:   {Type: \"AWS::SNS::Topic\"}\n";
    let (status, err) = edited_meanwhile(&folder, &["fmt", "a.yaml", "p.yaml"], "p.yaml", PRETTY, edit);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("a.yaml cannot be written: it has changed since it was read"), "{err}");
    assert_eq!(text(&folder, "a.yaml"), edit);
}

#[test]
fn files_that_are_not_well_formed_or_missing_are_reported_and_left_alone() {
    let folder = folder("broken").with("bad.yaml", "Resources:\n  A: [1\n");
    let done = folder.run(&["fmt", "bad.yaml", "a.yaml", "--message-format", "short"]);
    assert_eq!(done.status, 1);
    assert!(done.err.contains("bad.yaml:2:6: error[FW0001]"), "{}", done.err);
    assert!(done.err.ends_with("1 file reformatted, 0 left unchanged, 1 not formatted\n"), "{}", done.err);
    assert_eq!(text(&folder, "bad.yaml"), "Resources:\n  A: [1\n");
    assert_eq!(folder.run(&["fmt", "missing.yaml"]).status, 2);
}

#[test]
fn formwork_toml_sets_the_style_and_what_is_excluded() {
    let folder = folder("settings")
        .with("formwork.toml", "[fmt]\nindent = 2\nindent-lists = false\nexclude = [\"deep/**\"]\n")
        .with("own/formwork.toml", "[fmt]\nindent = 3\n");
    let done = folder.run(&["fmt"]);
    assert_eq!(
        (done.status, done.err.as_str()),
        (0, "note: formwork.toml sets exclude\n1 file reformatted, 0 left unchanged\n")
    );
    assert_eq!(text(&folder, "a.yaml"), "Resources:\n  Topic: {Type: \"AWS::SNS::Topic\"}\n");
    let stdin = |words: &[&str]| {
        let mut command = folder.formwork(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(b"a:\n    b:\n      - 1").expect("it reads");
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("UTF-8")
    };
    assert_eq!(stdin(&["fmt", "-"]), "a:\n  b:\n  - 1\n");
    assert_eq!(stdin(&["fmt", "-", "--stdin-filename", "own/x.yaml"]), "a:\n   b:\n      - 1\n");
    assert_eq!(stdin(&["fmt", "-", "--no-config"]), "a:\n    b:\n      - 1\n");
    assert_eq!(stdin(&["fmt", "-", "--indent", "1"]), "a:\n b:\n - 1\n");
    let wrong = folder.run(&["fmt", "--indent", "9"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("use a number from 1 to 8, `tab` or `auto`"), "{}", wrong.err);
}
