//! Node.js with npm, pnpm or Yarn, selected by the lock file (reference/build.md#node).

use std::path::{Path, PathBuf};

use formwork_upload::SourceTree;
use serde_json::{Map, Value};

use super::{Build, copy_directory, make_directory};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::{Job, Part};
use crate::workspace::Workspace;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manager {
    Npm,
    Pnpm,
    Yarn,
}

impl Manager {
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
        return copy_directory(&build.job.source.join("node_modules"), &build.artifacts.join("node_modules"));
    }
    let directory = installed(build, false)?;
    forget_credentials(&directory)?;
    let packages = directory.join("node_modules");
    let made = if build.job.recipe.part == Part::Packages {
        make_directory(build.artifacts)?;
        make_directory(&packages)?;
        std::fs::rename(&packages, build.artifacts.join("node_modules"))
    } else {
        std::fs::rename(&directory, build.artifacts)
    };
    made.map_err(BuildError::file(build.artifacts))
}

/// Copies the source and installs its packages. Those for development are omitted unless a build needs them.
pub(super) fn installed(build: &Build<'_>, with_development: bool) -> Result<PathBuf, BuildError> {
    let outside = outside(&build.job.source);
    let workspace = Workspace::new(build.scratch, &build.job.source, &outside)?;
    build.copy_source(workspace.directory())?;
    // Package managers run scripts of these packages in their directories.
    workspace.copy_references(&build.job.source, build.runner)?;
    let packages = workspace.directory().join("node_modules");
    build.install_packages(&packages, &|target| {
        install(build, workspace.directory(), with_development)?;
        if target != packages && packages.exists() {
            std::fs::rename(&packages, target).map_err(BuildError::file(target))?;
        }
        Ok(())
    })?;
    Ok(workspace.directory().to_owned())
}

pub(super) const MANIFESTS: &[&str] = &[
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "yarn.lock",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
];
/// Parts of a manifest that refer to other files of the source: local packages, patches, plugins.
const OWN_FILES: &[&str] =
    &["file:", "link:", "portal:", "workspace:", "patch:", "patchedDependencies", "yarnPath", "yarn-path", "plugins:"];
/// Records that package managers write beside packages.
const RECORDS: &[&str] = &[
    ".package-lock.json",
    ".modules.yaml",
    ".pnpm-workspace-state.json",
    ".pnpm-workspace-state-v1.json",
    ".yarn-integrity",
    ".yarn-state.yml",
];
const SCRIPTS: &[&str] =
    &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];

/// Returns the key of the packages of a source; `None` when they depend on other files of the source.
pub(super) fn packages_key(job: &Job, tree: &SourceTree) -> Option<String> {
    if job.recipe.in_source || tree.has(".pnpmfile.cjs") || has_local_packages(&manifest(&job.source)) {
        return None;
    }
    let mut all = format!("{:?}\n", job.switch("UseNpmCi"));
    for name in MANIFESTS.iter().filter(|name| tree.has(name)) {
        let text = std::fs::read_to_string(job.source.join(name)).ok()?;
        if OWN_FILES.iter().any(|mark| text.contains(mark)) {
            return None;
        }
        all.extend([*name, "\n", &text, "\n"]);
    }
    Some(all)
}

/// Returns `true` when a manifest refers to directories of packages, or has scripts that may read the source.
fn has_local_packages(manifest: &Value) -> bool {
    let section = |name: &str| manifest.get(name).and_then(Value::as_object).into_iter().flatten();
    let sections = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    let mut versions = sections.into_iter().flat_map(section).filter_map(|(_, version)| version.as_str());
    manifest.get("workspaces").is_some()
        || section("scripts").any(|(name, _)| SCRIPTS.contains(&name.as_str()))
        || versions.any(|version| version.starts_with(['.', '/', '~']) && version.contains('/'))
}

/// Returns the manifest of a source; null when it cannot be read.
pub(super) fn manifest(source: &Path) -> Value {
    let text = std::fs::read_to_string(source.join("package.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Returns `true` when packages for development are installed to bundle a source: only when esbuild is one of them, and
/// installed nowhere else.
pub(super) fn needs_development(build: &Build<'_>) -> bool {
    let manifest = manifest(&build.job.source);
    let has = |section: &str| manifest.get(section).is_some_and(|names| names.get("esbuild").is_some());
    !has("dependencies") && !has("optionalDependencies") && build.path.find("esbuild").is_none()
}

pub(super) fn install(build: &Build<'_>, directory: &Path, with_development: bool) -> Result<(), BuildError> {
    if !directory.join("package.json").is_file() {
        return Ok(());
    }
    let manager = Manager::of(build.tree);
    let program = build.path.require(manager.name(), manager.help())?;
    let command = Command::new(program, directory).env("NODE_ENV", if with_development { "" } else { "production" });
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
        Manager::Yarn if is_modern_yarn(build, directory) => {
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
    // Package managers record here what they did, with times and the paths of this machine.
    for record in RECORDS {
        let _ = std::fs::remove_file(directory.join("node_modules").join(record));
    }
    Ok(())
}

/// Removes the settings of npm, which may contain tokens of registries: only the installation needs them.
pub(super) fn forget_credentials(product: &Path) -> Result<(), BuildError> {
    let settings = product.join(".npmrc");
    formwork_disk::remove_below(product, &settings).map_err(BuildError::file(settings))
}

fn is_modern_yarn(build: &Build<'_>, directory: &Path) -> bool {
    let lock = std::fs::read_to_string(directory.join("yarn.lock")).unwrap_or_default();
    build.tree.has(".yarnrc.yml") || lock.contains("__metadata:")
}

/// Returns the real paths outside of its directory that the packages of a source refer to.
pub(super) fn references(source: &Path) -> Vec<PathBuf> {
    outside(source).into_iter().filter_map(|path| source.join(path).canonicalize().ok()).collect()
}

const MOST_PACKAGES: usize = 1000;

/// Returns the packages on this disk outside of a source that it needs, relative to the source: those in its manifest,
/// and those in their manifests.
fn outside(source: &Path) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut left = vec![String::new()];
    while let Some(package) = left.pop() {
        for path in named_by(&source.join(&package), &package) {
            if path.starts_with("..") && !found.contains(&path) && found.len() < MOST_PACKAGES {
                found.push(path.clone());
                left.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Returns the packages on this disk in the manifest of a package, relative to the directory that `seen` is relative
/// to.
fn named_by(directory: &Path, seen: &str) -> Vec<String> {
    let manifest = manifest(directory);
    let sections = ["dependencies", "devDependencies", "optionalDependencies"];
    let values = sections.iter().filter_map(|section| manifest.get(section)?.as_object()).flat_map(Map::values);
    let paths = values.filter_map(|value| {
        let value = value.as_str()?;
        let path = ["file:", "link:", "portal:"].iter().find_map(|scheme| value.strip_prefix(scheme));
        let path = path.unwrap_or(value);
        (path.starts_with("..") || path.starts_with("./")).then_some(path)
    });
    paths.map(|path| joined(seen, path)).collect()
}

/// Joins a relative path to `base`, without `.` and with `..` at the beginning alone.
fn joined(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_packages_are_seen_from_the_source() {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in [
            ("app/web", r#"{"dependencies": {"a": "file:../../a", "own": "file:./own", "x": "^1.0"}}"#),
            ("a", r#"{"dependencies": {"b": "link:../lib/b"}, "devDependencies": {"in": "file:./in"}}"#),
            ("lib/b", r#"{"dependencies": {"a": "../../a"}}"#),
        ] {
            std::fs::create_dir_all(directory.path().join(name)).expect("a directory");
            std::fs::write(directory.path().join(name).join("package.json"), text).expect("written");
        }
        assert_eq!(outside(&directory.path().join("app/web")), ["../../a", "../../a/in", "../../lib/b"]);
        assert_eq!(joined("../a", "../../b"), "../../b");
    }

    #[test]
    fn packages_that_depend_on_the_source_are_not_shared() {
        for (text, expected) in [
            (r#"{"main": "./app.js", "dependencies": {"a": "~1.0", "b": "*"}, "scripts": {"test": "x"}}"#, false),
            (r#"{"dependencies": {"a": "../a"}}"#, true),
            (r#"{"devDependencies": {"a": "./a"}}"#, true),
            (r#"{"optionalDependencies": {"a": "~/a"}}"#, true),
            (r#"{"workspaces": ["a"]}"#, true),
            (r#"{"scripts": {"postinstall": "node x.js"}}"#, true),
        ] {
            let manifest: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(has_local_packages(&manifest), expected, "{text}");
        }
    }
}
