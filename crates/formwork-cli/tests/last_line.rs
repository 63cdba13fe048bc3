//! The line that ends a successful command (reference/command-line.md#done). `script` of util-linux runs the program
//! on a terminal.
#![cfg(all(target_os = "linux", feature = "aws"))]

use crate::support::folder::Folder;

const TEMPLATE: &str = "Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n";

fn project(name: &str) -> Folder {
    Folder::new("last-line", name)
        .with("t.yaml", TEMPLATE)
        .with("deep/a.yaml", TEMPLATE)
        .with("deep/b.yaml", "Resources: {Fn::ForEach::Topics: wrong}\nTransform: AWS::LanguageExtensions\n")
        .with("rain.yaml", TEMPLATE)
        .with("build/.keep", "")
}

/// Returns what a command prints on a terminal, with both streams on it, or standard error alone.
fn on_terminal(folder: &Folder, words: &str, is_error_alone: bool) -> String {
    let redirected = if is_error_alone { " >/dev/null" } else { "" };
    let line = format!("TERM=dumb {} {words}{redirected}", env!("CARGO_BIN_EXE_formwork"));
    let output = folder.command("script").args(["-qec", &line, "/dev/null"]).output().expect("script runs");
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n").replace('\u{4}', "")
}

#[test]
fn a_command_that_writes_files_names_them_on_a_terminal() {
    let folder = project("written");
    let cases = [
        ("expand t.yaml -o build/t.yaml", "Wrote build/t.yaml\n"),
        ("resolve t.yaml -o out.yaml", "Wrote out.yaml\n"),
        ("expand t.yaml deep/a.yaml -o many", "Wrote 2 of 2 templates below many\n"),
        ("modules doc t.yaml -o t.md", "Wrote t.md\n"),
        ("migrate rain rain.yaml -o new.yaml", "Wrote new.yaml\n"),
        ("man -o man", " pages below man\n"),
        ("package t.yaml -o packaged.yaml", "Nothing had to be uploaded; wrote packaged.yaml\n"),
        ("modules vendor t.yaml", "The templates use no remote modules\n"),
    ];
    for (words, line) in cases {
        let seen = on_terminal(&folder, words, true);
        assert!(seen.ends_with(line), "{words}: {seen:?}");
        // Not where nobody looks on.
        let split: Vec<&str> = words.split(' ').collect();
        assert_eq!(folder.run(&split).err, "", "{words}");
        if !["modules doc", "migrate", "man"].iter().any(|other| words.starts_with(other)) {
            assert_eq!(on_terminal(&folder, &format!("{words} --quiet"), true), "", "{words}");
        }
    }
}

#[test]
fn a_report_ends_with_what_was_found() {
    let folder = project("found");
    assert_eq!(on_terminal(&folder, "check t.yaml", false), "No problems found in 1 file\n");
    assert_eq!(on_terminal(&folder, "validate t.yaml deep/a.yaml", false), "No problems found in 2 files\n");
    assert_eq!(on_terminal(&folder, "check t.yaml --quiet", false), "");
    assert_eq!(folder.run(&["check", "t.yaml"]).out, "");
}

#[test]
fn only_what_was_written_is_named() {
    let folder = project("errors");
    let seen = on_terminal(&folder, "expand deep -o many", true);
    assert!(seen.contains("error[") && seen.ends_with("Wrote 1 of 2 templates below many\n"), "{seen}");
    let seen = on_terminal(&folder, "expand deep/b.yaml -o out.yaml", true);
    assert!(seen.ends_with("no template was written\n") && !seen.contains("Wrote"), "{seen}");
    assert_eq!(on_terminal(&folder, "expand t.yaml", true), "");
}
