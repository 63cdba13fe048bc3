//! Common parts of the builders of Python: the interpreter, and the platforms of Lambda.

use std::path::{Path, PathBuf};

use super::Build;
use crate::architecture::Architecture;
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::Job;
use crate::requirements;
use crate::tools::SearchPath;

/// Returns the interpreters that may run pip: the version of the runtime first, since only that one can build packages
/// that have no wheel.
fn candidates(job: &Job, path: &SearchPath) -> Vec<PathBuf> {
    let names = [format!("python{}", job.version()), "python3".to_owned(), "python".to_owned()];
    names.iter().filter_map(|name| path.find(name)).collect()
}

pub(super) fn find(job: &Job, path: &SearchPath) -> Option<PathBuf> {
    candidates(job, path).into_iter().next()
}

/// Returns the first interpreter whose pip responds: a version manager may have commands for versions that are not
/// installed.
pub(super) fn require(build: &Build<'_>) -> Result<PathBuf, BuildError> {
    for python in candidates(build.job, build.path) {
        let asks = Command::new(&python, build.scratch).args(["-m", "pip", "--version"]);
        if build.shared.answers.ask(&asks, build.runner)? {
            return Ok(python);
        }
    }
    let version = build.job.version();
    let tool = format!("python{version} with pip");
    Err(BuildError::Missing { tool, help: format!("install Python {version} with pip, and put it on the PATH") })
}

/// Parts of a manifest that refer to files or code of the source.
const LOCAL: &[&str] =
    &["path =", "path=", "directory =", "directory=", "editable =", "virtual =", "file:", "\"file\"", "dynamic"];

/// Returns the content of those manifests of a source that exist. `None` when they may refer to files or code of the
/// source, or cannot be read.
pub(super) fn manifests(source: &Path, names: &[&str]) -> Option<String> {
    let mut all = String::new();
    for name in names {
        let path = source.join(name);
        if !path.exists() {
            continue;
        }
        let text = std::fs::read_to_string(path).ok()?;
        let is_requirements = *name == "requirements.txt";
        if is_requirements && !(requirements::is_independent(&text) && requirements::relative_paths(&text).is_empty()) {
            return None;
        }
        all.extend([*name, "\n", &text, "\n"]);
    }
    let text = all.replace("editable = \".\"", "").replace("virtual = \".\"", "");
    (!LOCAL.iter().any(|mark| text.contains(mark))).then_some(all)
}

/// Versions of glibc for which wheels are built, up to that of the runtime's system: 2.26 in Amazon Linux 2, 2.34 in
/// Amazon Linux 2023, from Python 3.12 on.
const GLIBC: &[u32] = &[5, 12, 17, 24, 26, 27, 28, 31, 34];
const AMAZON_LINUX_2: u32 = 26;
const AMAZON_LINUX_2023: u32 = 34;

/// Returns the minor version of glibc in a runtime.
fn glibc(version: &str) -> u32 {
    let minor: u32 = version.split('.').nth(1).and_then(|minor| minor.parse().ok()).unwrap_or(0);
    if minor >= 12 { AMAZON_LINUX_2023 } else { AMAZON_LINUX_2 }
}

/// Returns the platform of a runtime by a name that uv accepts: it does not have exactly these versions of glibc.
pub(super) fn uv_platform(version: &str, architecture: Architecture) -> String {
    let platform = if glibc(version) >= AMAZON_LINUX_2023 { "manylinux_2_28" } else { "manylinux2014" };
    format!("{}-{platform}", architecture.machine())
}

/// Returns the platforms of wheels that run in a runtime, `manylinux2014` first.
pub(super) fn platforms(version: &str, architecture: Architecture) -> Vec<String> {
    let newest = glibc(version);
    let machine = architecture.machine();
    let versions = GLIBC.iter().filter(|version| **version <= newest);
    let mut platforms = vec![format!("manylinux2014_{machine}")];
    platforms.extend(versions.map(|version| format!("manylinux_2_{version}_{machine}")));
    platforms.push(format!("linux_{machine}"));
    platforms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_end_at_the_system_of_the_runtime() {
        let old = platforms("3.11", Architecture::Arm);
        assert_eq!(old.first().map(String::as_str), Some("manylinux2014_aarch64"));
        assert!(!old.contains(&"manylinux_2_28_aarch64".to_owned()));
        assert!(platforms("3.13", Architecture::X86).contains(&"manylinux_2_34_x86_64".to_owned()));
    }
}
