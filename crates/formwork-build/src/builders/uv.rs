//! Python with uv, by its lock (reference/build.md#python).

use super::{Build, make_folder, python};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install uv (https://docs.astral.sh/uv), or remove uv.lock to build with pip";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let uv = build.path.require("uv", INSTALL)?;
    let folder = build.scratch_folder("source")?;
    build.copy_source(&folder)?;
    make_folder(build.artifacts)?;
    let version = build.job.version();
    let requirements = if build.tree.has("uv.lock") || !build.tree.has("requirements.txt") {
        let file = build.scratch.join("requirements.txt");
        let export = Command::new(&uv, &folder)
            .args(["export", "--format", "requirements.txt", "--no-emit-project", "--no-hashes"])
            .args(["--no-default-groups", "--output-file"])
            .arg(&file)
            .args(["--python", version]);
        let export = if build.tree.has("uv.lock") { export.arg("--frozen") } else { export };
        build.run(&export)?;
        file
    } else {
        folder.join("requirements.txt")
    };
    let platform = python::uv_platform(version, build.job.recipe.architecture);
    let install = Command::new(&uv, &folder)
        .args(["pip", "install", "--requirement"])
        .arg(&requirements)
        .arg("--target")
        .arg(build.artifacts)
        .args(["--python-version", version, "--python-platform", &platform])
        .args(["--only-binary", ":all:", "--link-mode", "copy"]);
    build.run(&install)?;
    build.add_source()
}
