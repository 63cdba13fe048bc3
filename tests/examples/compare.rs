//! Compares two builds of the program: standard output, standard error and exit status of some commands on templates
//! at random and on files, byte for byte.
//!
//! ```sh
//! cargo run --profile quick -p formwork-tests --example compare -- OLD NEW [--count 10000] [--quiet-errors] [FILE...]
//! ```
//!
//! With `--quiet-errors` standard error may differ, as after a message was reworded.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for developers: it prints")]
#![allow(clippy::disallowed_methods, reason = "a program for developers: files and processes are its work")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use formwork_syntax::value::Value;
use formwork_tests::generate::{self, Choices, Random};

/// What is run for each template, which is `@`.
const MODES: [&[&str]; 8] = [
    &["expand", "@"],
    &["expand", "@", "--format", "json"],
    &["expand", "@", "--values", "all", "--region", "eu-west-1", "--account-id", "123456789012"],
    &["expand", "@", "--format", "yaml", "--prune", "--language-extensions", "always"],
    &["expand", "@", "--format", "json", "--source-map", "/dev/stderr"],
    &["resolve", "@"],
    &["check", "@", "--message-format", "json"],
    &["explain", "@", "--at", "@:9", "--stage", "expand", "--format", "json"],
];

struct Work {
    old: PathBuf,
    new: PathBuf,
    count: usize,
    quiet_errors: bool,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match arguments().and_then(|work| run(&work)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(differences) => {
            eprintln!("{differences} differences");
            ExitCode::FAILURE
        }
        Err(trouble) => {
            eprintln!("error: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Work, String> {
    let mut words = std::env::args_os().skip(1);
    let mut program = || words.next().map(PathBuf::from).ok_or("the paths of two programs are missing");
    let (old, new) = (program()?, program()?);
    let mut work = Work { old, new, count: 10_000, quiet_errors: false, files: Vec::new() };
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--count") => {
                let count = words.next().and_then(|count| count.to_str()?.parse().ok());
                work.count = count.ok_or("--count needs a number")?;
            }
            Some("--quiet-errors") => work.quiet_errors = true,
            _ => work.files.push(word.into()),
        }
    }
    Ok(work)
}

/// The number of differences.
fn run(work: &Work) -> Result<usize, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (mut differences, mut outputs, mut runs) = (0, 0, 0);
    let mut one = |file: &Path| -> Result<(), String> {
        for mode in MODES {
            let old = output(&work.old, file, mode)?;
            let new = output(&work.new, file, mode)?;
            runs += 1;
            outputs += usize::from(!old.stdout.is_empty());
            let same_errors = work.quiet_errors || old.stderr == new.stderr;
            if old.status != new.status || old.stdout != new.stdout || !same_errors {
                differences += 1;
                println!("{}: differs for {}", mode.join(" "), file.display());
                if file.starts_with(folder.path()) && differences == 1 {
                    println!("{}", std::fs::read_to_string(file).unwrap_or_default());
                }
            }
        }
        Ok(())
    };
    for number in 0..work.count {
        // Each in its own directory: what one imports another one does not find.
        let folder = folder.path().join(number.to_string());
        let files = project(number);
        for (name, text) in &files {
            let file = folder.join(name);
            let made = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&file, text)).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        one(&folder.join(&files[0].0))?;
    }
    for file in &work.files {
        one(file)?;
    }
    println!("{runs} runs, {outputs} with an output, {differences} differences");
    Ok(differences)
}

fn output(program: &Path, file: &Path, mode: &[&str]) -> Result<Output, String> {
    let file = file.display().to_string();
    let output = Command::new(program).args(mode.iter().map(|word| word.replace('@', &file))).output();
    output.map_err(|error| format!("{}: {error}", program.display()))
}

/// A project at random, by the names of its files, the template first: a template of each kind that the laws are tried on, or one with modules, in
/// both formats.
fn project(number: usize) -> Vec<(String, String)> {
    let mut random = Random::new(number as u64 + 1);
    let bytes: Vec<u8> = (0..random.below(600)).map(|_| random.below(256) as u8).collect();
    let mut choices = Choices::new(&bytes);
    let value = match number % 8 {
        6 | 7 => {
            let project =
                if number % 8 == 6 { generate::modules(&mut choices) } else { generate::rooted(&mut choices) };
            let is_json = choices.one_in(2);
            let mut text = |name: &str, file: &Value| {
                let is_json =
                    is_json || name.to_ascii_lowercase().ends_with("json") || matches!(file, Value::String(_));
                if is_json { generate::json(file) } else { generate::layout(file, &mut choices) }
            };
            return project.iter().map(|(name, file)| (name.clone(), text(name, file))).collect();
        }
        0 | 1 => generate::template(&mut choices),
        2 => generate::calls(&mut choices),
        3 => generate::replaced_calls(&mut choices),
        4 => {
            let loops = generate::names(&mut choices);
            if choices.one_in(2) { loops.for_each } else { loops.map }
        }
        _ => {
            let template = generate::template(&mut choices);
            generate::errors(template, &mut choices)
        }
    };
    // Not by the same remainder as above: each kind is written in all forms.
    let (name, text) = match number / 8 % 3 {
        0 => ("template.json", generate::json(&value)),
        1 => ("template.yaml", generate::yaml(&value, &mut choices)),
        _ => ("template.yaml", generate::layout(&value, &mut choices)),
    };
    vec![(name.to_owned(), text)]
}
