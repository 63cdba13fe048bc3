//! What the builders run, beside what SAM CLI's `aws_lambda_builders` runs: both with the same stand-ins for tools.
//! Command lines are equal except for the rows of a case, and each row has the reason.
//!
//! Holds reference/build.md#deviations, reference/build.md#python, reference/build.md#node,
//! reference/build.md#esbuild, reference/build.md#makefile, reference/build.md#go, reference/build.md#rust,
//! reference/build.md#java, reference/build.md#ruby, reference/build.md#dotnet.

mod cases;
mod stand_ins;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::project::Project;
use cases::{CASES, Case};

/// The Python that has `aws_lambda_builders`: where CI installs it, or at `FORMWORK_BUILDERS`. Without it the
/// test prints that it is skipped; with `FORMWORK_REQUIRE_BUILDERS` that is a failure.
fn installed() -> Option<PathBuf> {
    let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("ci").join("builders");
    let folder = std::env::var_os("FORMWORK_BUILDERS").map_or_else(own, PathBuf::from);
    let python = folder.join("bin/python");
    if python.exists() {
        return Some(python);
    }
    let folder = folder.display();
    let why = format!(
        "SAM CLI's builders are not installed: python3 -m venv {folder} && {folder}/bin/pip install \
         aws-lambda-builders==1.68.0"
    );
    assert!(std::env::var_os("FORMWORK_REQUIRE_BUILDERS").is_none(), "{why}");
    // The macros are caught by the test runner.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
    None
}

#[test]
fn command_lines_are_those_of_the_peers() {
    let Some(python) = installed() else { return };
    let mut wrong = String::new();
    for case in CASES {
        let project = case.project();
        project.build(&[]);
        let ours = kept(project.lines());
        std::fs::remove_file(project.0.join("lines")).expect("stand-ins were run");
        let theirs = kept(theirs(case, &project, &python));
        let (mut only_theirs, mut only_ours) = (without(&theirs, &ours), without(&ours, &theirs));
        for row in case.rows {
            assert!(row.why.len() > 20, "{}: a deviation has a reason", case.name);
            only_theirs = without(&only_theirs, &required(row.theirs, &only_theirs, case));
            only_ours = without(&only_ours, &required(row.ours, &only_ours, case));
        }
        if !(only_theirs.is_empty() && only_ours.is_empty()) {
            wrong += &format!("{}\n- {}\n+ {}\n", case.name, only_theirs.join("\n- "), only_ours.join("\n+ "));
        }
    }
    assert!(wrong.is_empty(), "lines without a row\n{wrong}");
}

/// The lines of a row, which have to be there: a row without them is out of date.
fn required(row: &[&str], lines: &[String], case: &Case) -> Vec<String> {
    let row: Vec<String> = row.iter().map(|&line| line.to_owned()).collect();
    for line in &row {
        assert!(lines.contains(line), "{}: no longer run: {line}\nbut\n{}", case.name, lines.join("\n"));
    }
    row
}

/// The lines that are not among others, each as often as it is more often there.
fn without(lines: &[String], others: &[String]) -> Vec<String> {
    let mut others = others.to_vec();
    let mut left = lines.to_vec();
    left.retain(|line| match others.iter().position(|other| other == line) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    left
}

/// What `aws_lambda_builders` runs for a case.
fn theirs(case: &Case, project: &Project, python: &Path) -> Vec<String> {
    let base = project.0.join("theirs");
    std::fs::create_dir_all(&base).expect("a directory");
    let source = base.join("SOURCE");
    let copied = Command::new("cp").arg("-r").arg(project.folder().join("src")).arg(&source).status();
    assert!(copied.expect("cp runs").success());
    let words = serde_json::json!({
        "language": case.language,
        "manager": case.manager,
        "runtime": case.runtime,
        "architecture": case.architecture,
        "manifest": case.manifest,
        "options": case.options.map(|text| serde_json::from_str::<serde_json::Value>(text).expect("JSON")),
        "layer": false,
        "source": source,
        "artifacts": base.join("OUT"),
        "scratch": base.join("WORK"),
    });
    let mut command = project.command(&[]);
    let environment: Vec<_> =
        command.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
    command = Command::new(python);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/build/peers.py");
    let output =
        command.arg(script).arg(words.to_string()).current_dir(&base).envs(environment).output().expect("python runs");
    assert!(output.status.success(), "{}: {}", case.name, String::from_utf8_lossy(&output.stderr));
    let (source, base) = (source.display().to_string(), format!("{}/", base.display()));
    let masked = |line: String| line.replace(&source, "SOURCE").replace(&base, "");
    project.lines().into_iter().map(masked).collect()
}

/// Command lines in one form, without the questions for versions and places.
fn kept(lines: Vec<String>) -> Vec<String> {
    const QUESTIONS: &[&str] =
        &[" --version", " -version", " -c import sys", " -c import pip", " root", " prefix", " metadata ", " version"];
    let lines = lines.into_iter().map(|line| one_form(&line));
    let is_kept = |line: &String| {
        let (_, words) = line.split_once(' ').unwrap_or_default();
        !QUESTIONS.iter().any(|question| format!(" {words} ").contains(question) && !words.contains("-m pip download"))
    };
    lines.filter(is_kept).collect()
}

fn one_form(line: &str) -> String {
    let mut line = line.replace("WORK/workspace/src", "SOURCE").replace("WORK/source", "SOURCE");
    // pip is called as a function there.
    if let Some((_, call)) = line.split_once("sys.exit(main([") {
        let words = call.trim_end_matches("]))").replace("', '", " ");
        line = format!("python3.13 -m pip {}", words.trim_matches('\''));
    }
    // The order of its options makes no difference to esbuild.
    if line.starts_with("esbuild ") {
        let (mut options, files): (Vec<&str>, Vec<&str>) =
            line.split(' ').skip(1).partition(|word| word.starts_with("--"));
        options.sort_unstable();
        line = format!("esbuild {} {}", files.join(" "), options.join(" "));
    }
    line
}
