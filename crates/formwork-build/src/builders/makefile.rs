//! A Makefile with a target `build-LOGICALID` (reference/build.md#makefile).

use std::path::{Path, PathBuf};

use super::{Build, make_directory};
use crate::build_error::BuildError;
use crate::command::Command;

pub(crate) const MAKEFILE: &str = "Makefile";

const INSTALL: &str = "install GNU make, and put it on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let make = build.path.require("make", INSTALL)?;
    let directory = if build.job.recipe.in_source {
        build.job.source.clone()
    } else {
        let directory = build.scratch_directory("source")?;
        build.copy_source(&directory)?;
        directory
    };
    let manifest = build.job.recipe.manifest.clone().unwrap_or_else(|| directory.join(MAKEFILE));
    if !manifest.is_file() {
        let named = build.job.recipe.manifest.as_deref().and_then(Path::parent);
        let message = format!("{MAKEFILE} does not exist in {}", named.unwrap_or(&build.job.source).display());
        let help = format!("write one with the target `build-{}`, which fills $(ARTIFACTS_DIR)", build.job.resource);
        return Err(BuildError::unfit(message, help));
    }
    make_directory(build.artifacts)?;
    let command = Command::new(make, working(build, directory)).arg("--makefile").arg(manifest);
    build.run(&command.arg(format!("build-{}", build.job.resource)).env("ARTIFACTS_DIR", build.artifacts))
}

/// Returns the directory in which make runs; one inside of the source becomes that of the copy `directory`.
fn working(build: &Build<'_>, directory: PathBuf) -> PathBuf {
    match &build.job.recipe.working {
        None => directory,
        Some(named) => match named.strip_prefix(&build.job.source) {
            Ok(inner) => directory.join(inner),
            Err(_) => named.clone(),
        },
    }
}
