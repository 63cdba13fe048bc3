//! Go modules (reference/build.md#go).

use std::path::Path;

use super::{Build, make_directory};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::runtime::Language;

const INSTALL: &str = "install Go (https://go.dev/dl), and put it on the PATH";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let go = build.path.require("go", INSTALL)?;
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    make_directory(build.artifacts)?;
    let recipe = &build.job.recipe;
    let is_provided = recipe.runtime.as_ref().is_none_or(|runtime| runtime.language == Language::Provided);
    let name = if is_provided { "bootstrap" } else { recipe.handler.as_deref().unwrap_or("bootstrap") };
    let mut command = Command::new(go, &directory)
        .env("GOOS", "linux")
        .env("GOARCH", recipe.architecture.pick("amd64", "arm64"))
        .env("CGO_ENABLED", "0")
        .args(["build", "-buildvcs=false"]);
    if build.job.switch("TrimGoPath") != Some(false) {
        command = command.arg("-trimpath");
    }
    let flags = build.job.properties("LD_FLAGS");
    if !flags.is_empty() {
        command = command.arg("-ldflags").arg(flags.join(" "));
    }
    let package = package(&directory, recipe.handler.as_deref());
    build.run(&command.arg("-o").arg(build.artifacts.join(name)).arg(package))
}

fn package(directory: &Path, handler: Option<&str>) -> String {
    let is_go = |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "go");
    let has_go = std::fs::read_dir(directory).is_ok_and(|entries| entries.flatten().any(is_go));
    match handler.filter(|handler| !has_go && directory.join(handler).is_dir()) {
        Some(handler) => format!("./{handler}"),
        None => ".".to_owned(),
    }
}
