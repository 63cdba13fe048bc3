//! Rust with Cargo Lambda, or with Cargo for the target (reference/build.md#rust).

use super::{Build, copy_file};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str = "install Rust (https://rustup.rs), and Cargo Lambda (https://www.cargo-lambda.info)";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let cargo = build.path.require("cargo", INSTALL)?;
    let directory = build.scratch_directory("source")?;
    build.copy_source(&directory)?;
    let recipe = &build.job.recipe;
    let flags = build.job.properties("Flags");
    let binary = build.job.properties("Binary").into_iter().next();
    let command = Command::new(cargo, &directory).env("CARGO_TARGET_DIR", build.cache);
    let name = binary.clone().or_else(|| recipe.handler.clone().filter(|name| name != "bootstrap"));
    let select = |command: Command| match &binary {
        Some(name) => command.args(["--bin", name]),
        None => command,
    };
    let made = if build.path.find("cargo-lambda").is_some() {
        let out = build.scratch.join("lambda");
        let command = command.args(["lambda", "build", "--release", "--lambda-dir"]).arg(&out);
        // Cargo Lambda links with a newer glibc than that of Amazon Linux 2, unless the target names its version.
        let command = if recipe.runtime.as_ref().is_some_and(|runtime| runtime.name == "provided.al2") {
            let target = format!("{}-unknown-linux-gnu.2.26", recipe.architecture.machine());
            command.arg("--target").arg(target)
        } else {
            command.arg(recipe.architecture.pick("--x86-64", "--arm64"))
        };
        build.run(&select(command).args(flags))?;
        find(&out, name.as_deref(), true)?
    } else {
        let target = format!("{}-unknown-linux-gnu", recipe.architecture.machine());
        let command = command.args(["build", "--release", "--target", &target]);
        build.run(&select(command).args(flags))?;
        let package = name.or_else(|| package_name(&directory));
        find(&build.cache.join(target).join("release"), package.as_deref(), false)?
    };
    let artifact = build.job.properties("ArtifactExecutableName").into_iter().next();
    copy_file(&made, &build.artifacts.join(artifact.as_deref().unwrap_or("bootstrap")))
}

/// Returns the program that was built, with this name or the only one.
fn find(
    directory: &std::path::Path,
    name: Option<&str>,
    in_directories: bool,
) -> Result<std::path::PathBuf, BuildError> {
    let of = |name: &str| if in_directories { directory.join(name).join("bootstrap") } else { directory.join(name) };
    if let Some(found) = name.map(of).filter(|path| path.is_file()) {
        return Ok(found);
    }
    let mut all: Vec<std::path::PathBuf> = std::fs::read_dir(directory)
        .map_err(BuildError::file(directory))?
        .flatten()
        .map(|entry| of(&entry.file_name().to_string_lossy()))
        .filter(|path| in_directories && path.is_file())
        .collect();
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(BuildError::unfit(
            "the build did not produce exactly one program",
            "name the program of the function in Metadata: `BuildProperties: {Binary: NAME}`",
        )),
    }
}

fn package_name(directory: &std::path::Path) -> Option<String> {
    let text = std::fs::read_to_string(directory.join("Cargo.toml")).ok()?;
    let manifest: toml::Table = text.parse().ok()?;
    Some(manifest.get("package")?.get("name")?.as_str()?.to_owned())
}
