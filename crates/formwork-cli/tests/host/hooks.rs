//! The hooks of `.pre-commit-hooks.yaml`, run by pre-commit. `FORMWORK_PRE_COMMIT` names its program.
#![allow(clippy::print_stderr, reason = "a skipped test prints it")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::repository::{command, commit, git, own, with_program};

const GOOD: &str = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::T:\n    - N\n    - [A]\n    - \"T${N}\": {Type: AWS::SNS::Topic}\n";

/// The program, unless it is not there and not required.
fn pre_commit() -> Option<PathBuf> {
    let program = std::env::var_os("FORMWORK_PRE_COMMIT").map(PathBuf::from);
    if program.is_none() {
        assert!(std::env::var_os("FORMWORK_REQUIRE_PRE_COMMIT").is_none(), "FORMWORK_PRE_COMMIT is not set");
        eprintln!("SKIPPED: FORMWORK_PRE_COMMIT does not name the program pre-commit");
    }
    program
}

/// A repository with the hooks of this one, and one with templates.
fn repositories(name: &str) -> Folder {
    let hooks = fs::read_to_string(own().join(".pre-commit-hooks.yaml")).expect("the hooks");
    let folder = Folder::new("hooks", name)
        .with("hooks/.pre-commit-hooks.yaml", &hooks)
        .with("project/template.yaml", GOOD)
        .with("project/deep/api.template", GOOD)
        .with("project/values.yaml", "a: [");
    commit(&folder.path("hooks"));
    commit(&folder.path("project"));
    with_program(&folder);
    folder
}

/// Runs a hook on what is staged; returns whether it passes, and what is printed.
fn run(folder: &Folder, program: &Path, hook: &str, more: &[&str]) -> (bool, String) {
    let project = folder.path("project");
    git(&project, &["add", "--all"]);
    let mut command = command(program.to_str().expect("UTF-8"), &project);
    let path = format!("{}:/usr/bin:/bin", folder.path("bin").display());
    command.env("PATH", path).env("PRE_COMMIT_HOME", folder.path("cache")).env("PRE_COMMIT_COLOR", "never");
    let hooks = folder.path("hooks").display().to_string();
    let output = command.args(["try-repo", &hooks, hook, "--verbose"]).args(more).output().expect("pre-commit runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), printed)
}

#[test]
fn check_reports_the_templates_that_are_committed() {
    let Some(program) = pre_commit() else { return };
    let folder = repositories("check");
    let (passes, printed) = run(&folder, &program, "formwork-check", &["--all-files"]);
    assert!(passes && printed.contains("Passed"), "{printed}");
    let folder = folder.with("project/deep/api.template", &GOOD.replace("Type:", "Typ:"));
    let (passes, printed) = run(&folder, &program, "formwork-check", &[]);
    assert!(!passes && printed.contains("deep/api.template:6:"), "{printed}");
    assert!(printed.contains("exit code: 1") && !printed.contains("values.yaml"), "{printed}");
}

#[test]
fn expand_fails_until_the_expansions_are_committed() {
    let Some(program) = pre_commit() else { return };
    let folder = repositories("expand");
    let expansion = |name: &str| fs::read_to_string(folder.path("project/expanded").join(name)).expect("an expansion");
    // New files are written; pre-commit compares only those that it knows.
    let (_, printed) = run(&folder, &program, "formwork-expand", &["--all-files"]);
    assert!(expansion("template.yaml").contains("TA:") && expansion("deep/api.template").contains("TA:"), "{printed}");
    commit(&folder.path("project"));
    let (passes, printed) = run(&folder, &program, "formwork-expand", &["--all-files"]);
    assert!(passes, "{printed}");
    // One template is changed: its expansion is written, and the hook fails.
    fs::write(folder.path("project/template.yaml"), GOOD.replace("[A]", "[A, B]")).expect("written");
    let (passes, printed) = run(&folder, &program, "formwork-expand", &[]);
    assert!(!passes && printed.contains("files were modified by this hook"), "{printed}");
    assert!(expansion("template.yaml").contains("TB:"), "{printed}");
    let (passes, printed) = run(&folder, &program, "formwork-expand", &[]);
    assert!(passes, "{printed}");
}
