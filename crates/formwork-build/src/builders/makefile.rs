//! A Makefile with a target `build-LOGICALID` (reference/build.md#makefile).

use super::{Build, make_folder};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install GNU make, and put it on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let make = build.path.require("make", INSTALL)?;
    let folder = if build.job.recipe.in_source {
        build.job.source.clone()
    } else {
        let folder = build.scratch_folder("source")?;
        build.copy_source(&folder)?;
        folder
    };
    let manifest = build.job.recipe.manifest.clone().unwrap_or_else(|| folder.join("Makefile"));
    if !manifest.is_file() {
        let message = format!("Makefile does not exist in {}", build.job.source.display());
        let help = format!("write one with the target `build-{}`, which fills $(ARTIFACTS_DIR)", build.job.resource);
        return Err(BuildError::unfit(message, help));
    }
    let working = build.job.metadata("WorkingDirectory").map_or_else(|| folder.clone(), |path| folder.join(path));
    make_folder(build.artifacts)?;
    let command = Command::new(make, working).arg("--makefile").arg(manifest);
    build.run(&command.arg(format!("build-{}", build.job.resource)).env("ARTIFACTS_DIR", build.artifacts))
}
