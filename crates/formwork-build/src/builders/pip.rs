//! Python with pip: wheels for the runtime and architecture of the function (reference/build.md#python).

use std::path::{Path, PathBuf};

use super::python_packages::forget_machine;
use super::{Build, make_directory, python};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::Job;
use crate::requirements::{self, Manifest};
use crate::workspace::Workspace;

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let directory = &build.job.source;
    let text = text(build.job)?;
    if !requirements::is_any(&text) {
        return build.add_source();
    }
    // Packages are built in copies, so that nothing is written beside their sources.
    let base = manifest_directory(build.job);
    let workspace = Workspace::new(build.scratch, &base, &requirements::relative_paths(&text))?;
    if base == *directory {
        build.copy_source(workspace.directory())?;
    }
    workspace.copy_references(&base, build.runner)?;
    let file = workspace.directory().join("formwork-requirements.txt");
    std::fs::write(&file, text).map_err(BuildError::file(&file))?;
    if base != *directory {
        // A manifest may include files beside it.
        workspace.copy_beside(&base)?;
    }
    build.install_packages(build.artifacts, &|target| install(build, &file, workspace.directory(), target))?;
    build.add_source()
}

fn text(job: &Job) -> Result<String, BuildError> {
    Ok(match requirements::find(&job.source, job.recipe.manifest.as_deref()) {
        Some(Manifest::Requirements(path)) => std::fs::read_to_string(&path).map_err(BuildError::file(path))?,
        Some(Manifest::Project(lines)) => lines.join("\n") + "\n",
        None => String::new(),
    })
}

/// Returns the key of the packages of a source; `None` when a requirement is a file of the source.
pub(super) fn packages_key(job: &Job) -> Option<String> {
    let text = text(job).ok().filter(|text| requirements::is_independent(text))?;
    Some(format!("{:?}\n{text}", references(job)))
}

fn manifest_directory(job: &Job) -> PathBuf {
    let manifest = job.recipe.manifest.as_deref().and_then(Path::parent);
    manifest.map_or_else(|| job.source.clone(), Path::to_owned)
}

pub(super) fn references(job: &Job) -> Vec<PathBuf> {
    let Some(Manifest::Requirements(path)) = requirements::find(&job.source, job.recipe.manifest.as_deref()) else {
        return Vec::new();
    };
    let Ok(text) = std::fs::read_to_string(&path) else { return Vec::new() };
    let base = manifest_directory(job);
    requirements::relative_paths(&text).into_iter().filter_map(|path| base.join(path).canonicalize().ok()).collect()
}

pub(super) fn install(
    build: &Build<'_>,
    requirements: &Path,
    directory: &Path,
    target: &Path,
) -> Result<(), BuildError> {
    make_directory(target)?;
    if std::fs::read_to_string(requirements).is_ok_and(|text| !requirements::is_any(&text)) {
        return Ok(());
    }
    let python = python::require(build)?;
    let install = || {
        let version = build.job.version();
        let platforms = python::platforms(version, build.job.recipe.architecture);
        let mut command = pip(&python, directory)
            .args(["install", "--requirement"])
            .arg(requirements)
            .arg("--target")
            .arg(target)
            .args(["--only-binary=:all:", "--implementation", "cp", "--python-version", version])
            .args(["--abi", &format!("cp{}", version.replace('.', ""))]);
        for platform in platforms {
            command = command.args(["--platform", &platform]);
        }
        // Byte code contains times, and Lambda compiles it itself.
        command.args(["--no-compile", "--upgrade"])
    };
    match build.run(&install()) {
        Ok(()) => return forget_machine(target),
        Err(BuildError::Failed { .. }) => {}
        Err(other) => return Err(other),
    }
    // Some package has no wheel for the platform. A package without compiled parts can be built here.
    build.runner.note("# building wheels of the packages that have none");
    let wheels = build.scratch_directory("wheels")?;
    let wheel = pip(&python, directory).args(["wheel", "--requirement"]).arg(requirements);
    build.run(&wheel.arg("--wheel-dir").arg(&wheels))?;
    build.run(&install().arg("--find-links").arg(&wheels))?;
    forget_machine(target)
}

fn pip(python: &Path, directory: &Path) -> Command {
    Command::new(python, directory).env("PYTHONDONTWRITEBYTECODE", "1").env("SOURCE_DATE_EPOCH", "315532800").args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
    ])
}
