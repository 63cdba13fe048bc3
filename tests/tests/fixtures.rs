//! Own cases: a test for every command of every case in `tests/fixtures/`, and of every example of
//! `docs/language/` and `docs/reference/`.
//!
//! With `FORMWORK_UPDATE=1` the files are updated with what the program does.
#![allow(clippy::disallowed_methods, reason = "fixtures are files")]
#![allow(clippy::print_stderr, reason = "a test program speaks to its user")]

use std::process::ExitCode;
use std::sync::Arc;

use formwork_tests::fixture::{self, Kind};
use formwork_tests::project;
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let done = if std::env::var_os("FORMWORK_UPDATE").is_some() {
        update(&arguments).map(|()| ExitCode::SUCCESS)
    } else {
        trials().map(|trials| libtest_mimic::run(&arguments, trials).exit_code())
    };
    done.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::FAILURE
    })
}

/// Directories of files with cases.
const DIRECTORIES: [(&str, Kind); 3] =
    [("tests/fixtures", Kind::Cases), ("docs/language", Kind::Cases), ("docs/reference", Kind::Page)];

fn read_all() -> Result<Vec<fixture::File>, String> {
    let files: Result<Vec<_>, String> = DIRECTORIES
        .iter()
        .map(|(directory, kind)| fixture::read_all(&project::root().join(directory), *kind))
        .collect();
    Ok(files?.into_iter().flatten().collect())
}

fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for file in read_all()? {
        for case in &file.cases {
            for (at, run) in case.runs.iter().enumerate() {
                let case = Arc::clone(case);
                let name = format!("{}::{}::{}", file.name, case.name, run.command);
                trials.push(Trial::test(name, move || Ok(fixture::check(&case, &case.runs[at])?)));
            }
        }
    }
    Ok(trials)
}

/// Updates the files whose name contains the filter, all without one.
fn update(arguments: &Arguments) -> Result<(), String> {
    for file in read_all()? {
        if arguments.filter.as_ref().is_some_and(|filter| !file.name.contains(filter.as_str())) {
            continue;
        }
        let trouble = |error: std::io::Error| format!("{}: {error}", file.path.display());
        let text = std::fs::read_to_string(&file.path).map_err(trouble)?;
        let updated = fixture::update(&text, &file.cases)?;
        if updated != text {
            std::fs::write(&file.path, updated).map_err(trouble)?;
            eprintln!("updated {}", file.path.display());
        }
    }
    Ok(())
}
