//! The work that is counted: the examples as their users run them, and the shapes of `bench --growth`, which have every
//! part of the language and every kind of error. None of it is what the table of `bench` measures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::counts::Counts;
use crate::bench::shapes::all;
use crate::bench::written;

/// What is run for each example.
const COMMANDS: &[&[&str]] = &[
    &["expand"],
    &["expand", "--format", "json"],
    &["expand", "--values", "all", "--format", "json"],
    &["check"],
    &["resolve", "--format", "json"],
];

/// How much each run of an example counts: they are small beside the shapes.
const WEIGHT: u32 = 5;

/// Most repetitions of the parts of a shape: a program that counts is slow.
const MOST: u32 = 500;

/// Runs a program that counts; the files of the shapes are written into a directory.
///
/// # Errors
/// When the program cannot be run, files cannot be written, or counts not be added.
pub(super) fn run(program: &Path, counts: &mut Counts<'_>, root: &Path, folder: &Path) -> Result<(), String> {
    let mut start = |words: &[&str], template: Option<&Path>, inside: &Path, weight: u32| {
        run_once(program, words, template, inside, &counts.of_next_run())?;
        counts.add(weight)
    };
    start(&["version"], None, root, WEIGHT)?;
    let results = folder.join("results");
    let to_directory = ["expand", "-o", &results.to_string_lossy()];
    for template in examples(root)? {
        start(&to_directory, template.parent(), root, WEIGHT)?;
        for words in COMMANDS {
            start(words, Some(&template), root, WEIGHT)?;
        }
    }
    start(&["check"], Some(&root.join("examples")), root, WEIGHT)?;
    for shape in all() {
        for words in shape.commands {
            let template = written::write(shape, shape.n.min(MOST), folder)?;
            start(words, Some(&template), template.parent().unwrap_or(folder), 1)?;
        }
    }
    Ok(())
}

/// The templates of the examples; what they expand to is a template, too.
fn examples(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("examples");
    let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut templates = Vec::new();
    for entry in fs::read_dir(&folder).map_err(trouble)? {
        let inside = entry.map_err(trouble)?.path();
        let named = ["template.yaml", "expanded.yaml"].map(|name| inside.join(name));
        templates.extend(named.into_iter().filter(|path| path.is_file()));
    }
    templates.sort();
    Ok(templates)
}

/// Runs it to its end, whatever that is: templates with errors are counted, too.
fn run_once(
    program: &Path,
    words: &[&str],
    template: Option<&Path>,
    folder: &Path,
    counts: &Path,
) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(words).args(template).current_dir(folder).env("LLVM_PROFILE_FILE", counts);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map(drop).map_err(|error| format!("{} cannot be run: {error}", program.display()))
}
