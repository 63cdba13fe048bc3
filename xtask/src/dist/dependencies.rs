//! What is linked into the program, and under which licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::output;
use super::platform::Platform;

/// A crate that is part of the program.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) name: String,
    pub(super) version: String,
    /// The licence, as an SPDX expression.
    pub(super) licence: String,
    /// The SHA-256 of its archive on crates.io, in hexadecimal digits.
    pub(super) checksum: Option<String>,
    pub(super) repository: Option<String>,
    /// Its licences, in full.
    texts: BTreeSet<String>,
}

/// The crates that are built into the program for a target, in the order of their names. Those of the workspace are not
/// among them, nor what is used only while building.
pub(super) fn find(root: &Path, platform: &Platform) -> Result<Vec<Dependency>, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--filter-platform", platform.triple]);
    cargo.arg("--manifest-path").arg(root.join("crates/formwork-cli/Cargo.toml"));
    cargo.args(platform.feature_words()).current_dir(root);
    let metadata: Value = serde_json::from_slice(&output(&mut cargo)?).map_err(|error| error.to_string())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let checksums = checksums(root)?;
    let start = packages.values().find(|package| package["name"] == "formwork-cli").map(|package| text(&package["id"]));
    let (mut open, mut seen) = (Vec::from_iter(start), BTreeSet::new());
    while let Some(id) = open.pop() {
        let Some(node) = nodes.get(&id).filter(|_| seen.insert(id.clone())) else { continue };
        let linked = list(&node["deps"]).into_iter().filter(|dependency| {
            list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()) && !is_macro(&packages, dependency)
        });
        open.extend(linked.map(|dependency| text(&dependency["pkg"])));
    }
    let foreign = seen.iter().filter_map(|id| packages.get(id)).filter(|package| package["source"].is_string());
    let mut found: Vec<Dependency> =
        foreign.map(|package| dependency(package, &checksums)).collect::<Result<_, _>>()?;
    found.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(found)
}

/// A macro runs while building.
fn is_macro(packages: &BTreeMap<String, Value>, dependency: &Value) -> bool {
    let targets = packages.get(&text(&dependency["pkg"])).and_then(|package| package["targets"].as_array());
    targets.is_some_and(|targets| targets.iter().any(|target| target["kind"][0] == "proc-macro"))
}

fn dependency(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Result<Dependency, String> {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let manifest = text(&package["manifest_path"]);
    let directory = Path::new(&manifest).parent().ok_or("a manifest without a directory")?;
    Ok(Dependency {
        licence: text(&package["license"]).replace('/', " OR "),
        checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
        repository: package["repository"].as_str().map(str::to_owned),
        texts: licence_texts(directory)?,
        name,
        version,
    })
}

fn licence_texts(directory: &Path) -> Result<BTreeSet<String>, String> {
    let mut texts = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(|error| super::failed(directory, &error))? {
        let entry = entry.map_err(|error| super::failed(directory, &error))?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        let is_licence =
            ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|word| name.starts_with(word));
        if is_licence && entry.path().is_file() {
            let content = fs::read(entry.path()).map_err(|error| super::failed(&entry.path(), &error))?;
            texts.insert(String::from_utf8_lossy(&content).replace("\r\n", "\n").trim_end().to_owned());
        }
    }
    Ok(texts)
}

/// The sums of the lock file, by name and version.
fn checksums(root: &Path) -> Result<BTreeMap<(String, String), String>, String> {
    let path = root.join("Cargo.lock");
    let lock = fs::read_to_string(&path).map_err(|error| super::failed(&path, &error))?;
    let lock: toml::Table = lock.parse().map_err(|error| format!("{}: {error}", path.display()))?;
    let sum = |package: &toml::Value| {
        let field = |name: &str| package.get(name)?.as_str().map(str::to_owned);
        Some(((field("name")?, field("version")?), field("checksum")?))
    };
    Ok(lock.get("package").and_then(toml::Value::as_array).into_iter().flatten().filter_map(sum).collect())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// All licences as one text: each once, below the crates that it is of.
pub(super) fn licences(found: &[Dependency]) -> String {
    let mut by_text: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut document = String::from("Formwork contains these crates.\n\n");
    for dependency in found {
        let _ = writeln!(document, "{} {}: {}", dependency.name, dependency.version, dependency.licence);
        for text in &dependency.texts {
            by_text.entry(text).or_default().push(format!("{} {}", dependency.name, dependency.version));
        }
    }
    let mut texts: Vec<_> = by_text.into_iter().collect();
    texts.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (text, of) in texts {
        let _ = write!(document, "\n{}\n{}\n\n{text}\n", "-".repeat(80), of.join(", "));
    }
    document
}
