//! Python with uv and its lock file (reference/build.md#python).

use std::path::Path;

use super::python_packages::forget_machine;
use super::{Build, make_directory, python};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::Job;
use crate::requirements;

const INSTALL: &str = "install uv (https://docs.astral.sh/uv), or remove uv.lock to build with pip";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let uv = build.path.require("uv", INSTALL)?;
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    build.install_packages(build.artifacts, &|target| install(build, &uv, &directory, target))?;
    build.add_source()
}

/// Returns the key of the packages of a source; `None` when one of them is on this disk.
pub(super) fn packages_key(job: &Job) -> Option<String> {
    let names = ["pyproject.toml", "uv.lock", "uv.toml", ".python-version", "requirements.txt"];
    python::manifests(&job.source, &names)
}

fn install(build: &Build<'_>, uv: &Path, directory: &Path, target: &Path) -> Result<(), BuildError> {
    make_directory(target)?;
    let version = build.job.version();
    let requirements = if build.tree.has("uv.lock") || !build.tree.has("requirements.txt") {
        let file = build.scratch.join("requirements.txt");
        let export = Command::new(uv, directory)
            .args(["export", "--format", "requirements.txt", "--no-emit-project", "--no-hashes"])
            .args(["--no-default-groups", "--output-file"])
            .arg(&file)
            .args(["--python", version]);
        let export = if build.tree.has("uv.lock") { export.arg("--frozen") } else { export };
        build.run(&export)?;
        file
    } else {
        directory.join("requirements.txt")
    };
    if std::fs::read_to_string(&requirements).is_ok_and(|text| !requirements::is_any(&text)) {
        return Ok(());
    }
    let platform = python::uv_platform(version, build.job.recipe.architecture);
    let install = Command::new(uv, directory)
        .args(["pip", "install", "--requirement"])
        .arg(&requirements)
        .arg("--target")
        .arg(target)
        .args(["--python-version", version, "--python-platform", &platform])
        .args(["--only-binary", ":all:", "--link-mode", "copy"]);
    build.run(&install)?;
    forget_machine(target)
}
