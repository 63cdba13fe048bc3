//! Own cases: a test for every command of every case in `tests/fixtures/`, and of every example of
//! `docs/language/` and `docs/reference/`.

use std::sync::Arc;

use formwork_tests::fixture::{self, Kind};
use formwork_tests::project;
use libtest_mimic::Trial;

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

pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let mut trials = Vec::new();
    for file in read_all()? {
        for case in &file.cases {
            for (at, run) in case.runs.iter().enumerate() {
                let case = Arc::clone(case);
                let name = format!("fixtures::{}::{}::{}", file.name, case.name, run.command);
                trials.push(Trial::test(name, move || Ok(fixture::check(&case, &case.runs[at])?)));
            }
        }
    }
    Ok(trials)
}

/// Updates the files that are meant, by the name of their tests.
pub(crate) fn update(is_meant: &dyn Fn(&str) -> bool) -> Result<(), String> {
    for file in read_all()? {
        if !is_meant(&format!("fixtures::{}", file.name)) {
            continue;
        }
        let error = |error: std::io::Error| format!("{}: {error}", file.path.display());
        let text = std::fs::read_to_string(&file.path).map_err(error)?;
        let updated = fixture::update(&text, &file.cases)?;
        if updated != text {
            std::fs::write(&file.path, updated).map_err(error)?;
            eprintln!("updated {}", file.path.display());
        }
    }
    Ok(())
}
