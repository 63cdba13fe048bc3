//! A runner of composite actions: the steps with a shell in their order, with expressions, files for outputs and for
//! the PATH, as GitHub's runner has them. Steps that use other actions are only named.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use formwork::{Format, Limits};
use serde_json::Value;

use super::repository::{command, own};
use crate::documents::published::as_if;
use crate::support::folder::Folder;

/// What a job did.
#[derive(Debug, Default)]
pub(crate) struct Job {
    /// Name of each step that ran.
    pub(crate) ran: Vec<String>,
    /// Each action that a step used, with its inputs.
    pub(crate) used: Vec<(String, BTreeMap<String, String>)>,
    /// Standard output of all steps.
    pub(crate) log: String,
    /// Whether a step failed; those after it do not run.
    pub(crate) failed: Option<String>,
}

/// The contexts of expressions, by full name such as `inputs.templates`.
type Contexts = BTreeMap<String, String>;

/// Runs the action of this repository, as it is when releases are published, in `folder/work`, with inputs and further
/// values of contexts.
pub(crate) fn run(folder: &Folder, path: &str, values: &[(&str, &str)]) -> Job {
    run_as(&as_if("action.yml", true), folder, path, values)
}

/// The same with the text of an action.
pub(crate) fn run_as(text: &str, folder: &Folder, path: &str, values: &[(&str, &str)]) -> Job {
    let action = formwork::reformat(text, Format::Json, &Limits::default()).expect("YAML");
    let action: Value = serde_json::from_str(&action).expect("JSON");
    let temporary = folder.path("temporary");
    fs::create_dir_all(&temporary).expect("a directory");
    let mut contexts = Contexts::from([("runner.temp".to_owned(), temporary.display().to_string())]);
    for (name, input) in action["inputs"].as_object().expect("inputs") {
        contexts.insert(format!("inputs.{name}"), input["default"].as_str().expect("a default").to_owned());
    }
    for (name, value) in values {
        let known = contexts.insert((*name).to_owned(), (*value).to_owned());
        assert!(known.is_some() || !name.starts_with("inputs."), "the action has no {name}");
    }
    let (mut job, mut path) = (Job::default(), path.to_owned());
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let name = step["name"].as_str().expect("a name").to_owned();
        if step["if"].as_str().is_some_and(|condition| !holds(condition, &contexts)) {
            continue;
        }
        job.ran.push(name.clone());
        if let Some(uses) = step["uses"].as_str() {
            job.used.push((uses.to_owned(), filled(&step["with"], &contexts)));
            continue;
        }
        assert_eq!(step["shell"], "bash", "{name}");
        let files = ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"].map(|file| (file, temporary.join(file)));
        for (_, file) in &files {
            fs::write(file, "").expect("a file");
        }
        let script = temporary.join("step.sh");
        fs::write(&script, step["run"].as_str().expect("a script")).expect("a script");
        let mut bash = command("bash", &folder.path("work"));
        bash.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).env("PATH", &path);
        bash.env("RUNNER_TEMP", &temporary).env("GITHUB_WORKSPACE", folder.path("work")).env("CI", "true");
        bash.env("GITHUB_ACTION_PATH", own());
        bash.envs(files.iter().map(|(name, file)| (name, file))).envs(filled(&step["env"], &contexts));
        let output = bash.output().expect("bash runs");
        job.log += &String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            job.failed = Some(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            break;
        }
        let id = step["id"].as_str().unwrap_or_default();
        for (name, value) in lines(&files[0].1).iter().filter_map(|line| line.split_once('=')) {
            contexts.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
        }
        for directory in lines(&files[1].1) {
            path = format!("{directory}:{path}");
        }
    }
    job
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).expect("a file").lines().map(str::to_owned).collect()
}

/// The entries of an object with their expressions filled in.
fn filled(object: &Value, contexts: &Contexts) -> BTreeMap<String, String> {
    let entries = object.as_object().into_iter().flatten();
    entries.map(|(name, value)| (name.clone(), fill(value.as_str().expect("a string"), contexts))).collect()
}

/// A string with each `${{ NAME }}` replaced.
fn fill(text: &str, contexts: &Contexts) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (name, after) = after.split_once("}}").expect("an end");
        filled += before;
        filled += value(name.trim(), contexts);
        rest = after;
    }
    filled + rest
}

/// The condition of a step: comparisons with `==` and `!=`, joined by `&&`.
fn holds(condition: &str, contexts: &Contexts) -> bool {
    condition.split("&&").all(|part| {
        let (left, right, is_equal) = match part.split_once("==") {
            Some((left, right)) => (left, right, true),
            None => part.split_once("!=").map(|(left, right)| (left, right, false)).expect("a comparison"),
        };
        (value(left.trim(), contexts) == right.trim().trim_matches('\'')) == is_equal
    })
}

fn value<'c>(name: &str, contexts: &'c Contexts) -> &'c str {
    contexts.get(name).unwrap_or_else(|| panic!("no context has {name}"))
}
