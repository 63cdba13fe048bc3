//! `check --watch`: checks again after a change of a file that was read.
//!
//! Holds reference/command-line.md#watch.
#![cfg(all(unix, feature = "aws"))]

use std::fs::{self, File};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::support::folder::Folder;

const TEMPLATE: &str = "Modules:\n  My: {Source: ../modules/m.yaml}\n";
const MODULE: &str = "Resources:\n  T: {Type: AWS::SNS::Topic}\n";

/// Starts `check app/t.yaml --watch`. What it prints is in the files `out` and `err`.
fn start(project: &Folder) -> Child {
    let mut command = project.formwork(&["check", "app/t.yaml", "--watch"]);
    let file = |name| File::create(project.path(name)).expect("a file");
    command.stdout(file("out")).stderr(file("err")).spawn().expect("the program starts")
}

/// Waits until a file contains a text a number of times.
fn wait_for(path: &Path, text: &str, count: usize) -> String {
    let start = Instant::now();
    loop {
        let found = fs::read_to_string(path).unwrap_or_default();
        if found.matches(text).count() >= count {
            return found;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "no {text} in {found}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_changed_module_is_checked_again() {
    let project = Folder::new("check_watch", "module").with("app/t.yaml", TEMPLATE).with("modules/m.yaml", MODULE);
    let (out, err) = (project.path("out"), project.path("err"));
    let mut child = start(&project);
    wait_for(&err, "watching for changes", 1);
    assert_eq!(fs::read_to_string(&out).expect("the report"), "");
    fs::write(project.path("modules/m.yaml"), "Resources:\n  T: {Typ: AWS::SNS::Topic}\n").expect("written");
    wait_for(&err, "watching for changes", 2);
    let shown = wait_for(&err, "changed: modules/m.yaml", 1);
    assert!(fs::read_to_string(&out).expect("the report").contains("error["), "{shown}");
    // Other files are not waited for.
    fs::write(project.path("app/notes.txt"), "x").expect("written");
    fs::write(project.path("modules/m.yaml"), MODULE).expect("written");
    let shown = wait_for(&err, "watching for changes", 3);
    assert!(!shown.contains("notes.txt"), "{shown}");
    child.kill().expect("it is ended");
    child.wait().expect("it ends");
}

#[test]
fn a_module_that_changes_while_it_is_checked_for_the_first_time_is_checked_again() {
    // Nothing watches the module before it was read. Whenever it changes meanwhile, the last report is about what it is.
    let items: Vec<String> = (0..2000).map(|number| format!("i{number}")).collect();
    let many = format!(
        "  Fn::ForEach::L:\n    - N\n    - [{}]\n    - T${{N}}: {{Type: A::B::C, Properties: {{Name: !Sub \"${{N}}\"}}}}\n",
        items.join(", ")
    );
    let template = format!("Transform: AWS::LanguageExtensions\n{TEMPLATE}Resources:\n{many}");
    for pause in [5, 15, 30, 60, 120] {
        let project =
            Folder::new("check_watch", "meanwhile").with("app/t.yaml", &template).with("modules/m.yaml", MODULE);
        let mut child = start(&project);
        std::thread::sleep(Duration::from_millis(pause));
        fs::write(project.path("modules/m.yaml"), "Resources:\n  T: {Typ: AWS::SNS::Topic}\n").expect("written");
        wait_for(&project.path("out"), "error[", 1);
        child.kill().expect("it is ended");
        child.wait().expect("it ends");
    }
}

#[test]
fn standard_input_is_not_watched() {
    let run = Folder::new("check_watch", "stdin").run(&["check", "-", "--watch"]);
    assert!(run.status == 2 && run.err.contains("standard input cannot be watched"), "{run:?}");
}
