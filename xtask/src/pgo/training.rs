//! The work that is counted: the examples as their users run them, and the shapes of `bench --growth`, which have every
//! part of the language and every kind of error. None of it is what the table of `bench` measures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// How often each command runs for an example: they are small beside the shapes.
const TIMES: u32 = 5;

/// Most repetitions of the parts of a shape: a program that counts is slow.
const MOST: u32 = 500;

/// Runs a program that counts; the files of the shapes are written into a directory.
///
/// # Errors
/// When the program cannot be run, or files cannot be written.
pub(super) fn run(program: &Path, root: &Path, folder: &Path) -> Result<(), String> {
    start(program, &["version"], None, root)?;
    for template in examples(root)? {
        for words in COMMANDS {
            for _ in 0..TIMES {
                start(program, words, Some(&template), root)?;
            }
        }
    }
    for shape in all() {
        for words in shape.commands {
            let template = written::write(shape, shape.n.min(MOST), folder)?;
            start(program, words, Some(&template), template.parent().unwrap_or(folder))?;
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
fn start(program: &Path, words: &[&str], template: Option<&Path>, folder: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(words).args(template).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().map(drop).map_err(|error| format!("{} cannot be run: {error}", program.display()))
}
