//! Node.js with npm, pnpm or Yarn, by the lock file that is there (reference/build.md#node).

use std::path::{Path, PathBuf};

use formwork_upload::SourceTree;
use serde_json::Value;

use super::{Build, copy_folder, make_folder};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::Part;
use crate::workspace::Workspace;

/// A package manager.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manager {
    Npm,
    Pnpm,
    Yarn,
}

impl Manager {
    /// The manager whose lock file a source has.
    pub(crate) fn of(tree: &SourceTree) -> Manager {
        if tree.has("pnpm-lock.yaml") {
            Manager::Pnpm
        } else if tree.has("yarn.lock") {
            Manager::Yarn
        } else {
            Manager::Npm
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Manager::Npm => "npm",
            Manager::Pnpm => "pnpm",
            Manager::Yarn => "yarn",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Manager::Npm => "install Node.js with npm (https://nodejs.org), and put both on the PATH",
            Manager::Pnpm => "install pnpm: `corepack enable pnpm`, or `npm install --global pnpm`",
            Manager::Yarn => "install Yarn: `corepack enable yarn`, or `npm install --global yarn`",
        }
    }
}

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    if build.job.recipe.in_source {
        install(build, &build.job.source, false)?;
        build.add_source()?;
        forget_credentials(build.artifacts)?;
        return copy_folder(&build.job.source.join("node_modules"), &build.artifacts.join("node_modules"));
    }
    let folder = installed(build, false)?;
    forget_credentials(&folder)?;
    let packages = folder.join("node_modules");
    let made = if build.job.recipe.part == Part::Packages {
        make_folder(build.artifacts)?;
        make_folder(&packages)?;
        std::fs::rename(&packages, build.artifacts.join("node_modules"))
    } else {
        std::fs::rename(&folder, build.artifacts)
    };
    made.map_err(BuildError::file(build.artifacts))
}

/// A copy of the source with its packages; those for development are left out unless something is made of them.
pub(super) fn installed(build: &Build<'_>, with_development: bool) -> Result<PathBuf, BuildError> {
    let outside = outside(&build.job.source);
    let workspace = Workspace::new(build.scratch, &build.job.source, &outside)?;
    build.copy_source(workspace.folder())?;
    workspace.link_references(&build.job.source)?;
    install(build, workspace.folder(), with_development)?;
    Ok(workspace.folder().to_owned())
}

/// Installs the packages of a directory that has a manifest.
pub(super) fn install(build: &Build<'_>, folder: &Path, with_development: bool) -> Result<(), BuildError> {
    if !folder.join("package.json").is_file() {
        return Ok(());
    }
    let manager = Manager::of(build.tree);
    let program = build.path.require(manager.name(), manager.help())?;
    let command = Command::new(program, folder).env("NODE_ENV", if with_development { "" } else { "production" });
    let has_lock = build.tree.has("package-lock.json") || build.tree.has("npm-shrinkwrap.json");
    let uses_ci = has_lock && build.job.switch("UseNpmCi") != Some(false);
    let omit = if with_development { "--include=dev" } else { "--omit=dev" };
    let command = match manager {
        Manager::Npm if uses_ci => command.args(["ci", "-q", "--no-audit", "--no-fund", omit, "--install-links"]),
        // An existing lock file is used; with `--no-save` none is written to the artifact.
        Manager::Npm => {
            command.args(["install", "-q", "--no-audit", "--no-fund", "--no-save", omit, "--install-links"])
        }
        Manager::Pnpm => {
            let command = command.args(["install", "--frozen-lockfile", "--config.node-linker=hoisted"]);
            if with_development { command } else { command.arg("--prod") }
        }
        Manager::Yarn if is_modern_yarn(build, folder) => {
            let command = command.env("YARN_NODE_LINKER", "node-modules").env("YARN_ENABLE_TELEMETRY", "0");
            if with_development {
                command.args(["install", "--immutable"])
            } else {
                command.args(["workspaces", "focus", "--production"])
            }
        }
        Manager::Yarn => {
            let command = command.args(["install", "--frozen-lockfile", "--non-interactive"]);
            if with_development { command } else { command.arg("--production") }
        }
    };
    build.run(&command)?;
    // npm records here what it did, with absolute paths of local packages.
    let _ = std::fs::remove_file(folder.join("node_modules/.package-lock.json"));
    Ok(())
}

/// Removes the settings of npm, which may contain tokens of registries: only the installation needs them.
pub(super) fn forget_credentials(product: &Path) -> Result<(), BuildError> {
    let settings = product.join(".npmrc");
    formwork_disk::remove_below(product, &settings).map_err(BuildError::file(settings))
}

/// Whether a lock file is of Yarn 2 or newer.
fn is_modern_yarn(build: &Build<'_>, folder: &Path) -> bool {
    let lock = std::fs::read_to_string(folder.join("yarn.lock")).unwrap_or_default();
    build.tree.has(".yarnrc.yml") || lock.contains("__metadata:")
}

/// Returns the real paths outside of its directory that the packages of a source refer to.
pub(super) fn references(source: &Path) -> Vec<PathBuf> {
    outside(source).into_iter().filter_map(|path| source.join(path).canonicalize().ok()).collect()
}

/// The packages of this disk that a manifest names, as it names them: those outside of its directory.
fn outside(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source.join("package.json")).unwrap_or_default();
    let Ok(manifest) = serde_json::from_str::<Value>(&text) else { return Vec::new() };
    let mut found: Vec<String> = ["dependencies", "devDependencies", "optionalDependencies"]
        .iter()
        .filter_map(|section| manifest.get(section)?.as_object())
        .flat_map(|members| members.values())
        .filter_map(|value| {
            let value = value.as_str()?;
            let path = ["file:", "link:", "portal:"].iter().find_map(|scheme| value.strip_prefix(scheme));
            let path = path.unwrap_or(value);
            path.starts_with("..").then(|| path.to_owned())
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
