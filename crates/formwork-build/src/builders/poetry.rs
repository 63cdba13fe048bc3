//! Python with Poetry's lock file: it is exported, and pip installs the packages (reference/build.md#python).

use super::{Build, pip, python};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::Job;

const INSTALL: &str = "install Poetry with its plugin for export: `pipx install poetry && pipx inject poetry \
                       poetry-plugin-export`";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let poetry = build.path.require("poetry", INSTALL)?;
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    let file = directory.join("formwork-requirements.txt");
    let export = Command::new(poetry, &directory)
        .args(["export", "--format", "requirements.txt", "--without-hashes", "--no-interaction", "--output"])
        .arg(&file);
    build.install_packages(build.artifacts, &|target| {
        build.run(&export)?;
        pip::install(build, &file, &directory, target)
    })?;
    build.add_source()
}

/// Returns the key of the packages of a source; `None` when one of them is on this disk.
pub(super) fn packages_key(job: &Job) -> Option<String> {
    python::manifests(&job.source, &["pyproject.toml", "poetry.lock", "poetry.toml"])
}
