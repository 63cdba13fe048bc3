//! Node.js bundled by esbuild (reference/build.md#esbuild).

use std::path::Path;

use formwork::Value;
use formwork_package::BuildFacts;
use formwork_package::build_facts::text;

use super::{Build, make_directory, node};
use crate::build_error::BuildError;
use crate::command::Command;
use crate::job::{Job, strings};

const INSTALL: &str =
    "add esbuild to the devDependencies of package.json, or install it: `npm install --global esbuild`";

/// `BuildProperties` that are not options of esbuild, and options that Lambda determines.
const NOT_OPTIONS: &[&str] = &["EntryPoints", "UseNpmCi", "Bundle", "Platform", "Outdir"];
/// Lists that are one argument; each item of another list is an argument of its own.
const JOINED: &[&str] = &["MainFields", "Conditions", "ResolveExtensions", "DropLabels", "Target"];
/// Switches that are on by default.
const ON: &[&str] = &["SourcesContent", "TreeShaking"];
const ALL_PACKAGES: &str = "./node_modules/*";

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let mut entry_points = build.job.properties("EntryPoints");
    if entry_points.is_empty() {
        // The module of the handler, as SAM CLI takes it.
        let module = build.job.recipe.handler.as_deref().and_then(|handler| handler.split('.').next());
        entry_points.extend(module.filter(|module| !module.is_empty()).map(str::to_owned));
    }
    if entry_points.is_empty() {
        let help = "name what to bundle in Metadata: `BuildProperties: {EntryPoints: [app.ts]}`";
        return Err(BuildError::unfit("`BuildMethod: esbuild` has no EntryPoints", help));
    }
    let with_development = node::needs_development(build);
    let directory = if build.job.recipe.in_source {
        node::install(build, &build.job.source, with_development)?;
        build.job.source.clone()
    } else {
        node::installed(build, with_development)?
    };
    let own = directory.join("node_modules/.bin/esbuild");
    let program = if own.is_file() { own } else { build.path.require("esbuild", INSTALL)? };
    make_directory(build.artifacts)?;
    let files = entry_points.iter().map(|name| with_extension(&directory, name));
    let mut arguments = arguments(build.job, &directory, build.artifacts);
    if keeps_directories(build.job, &entry_points) {
        arguments.push("--outbase=.".to_owned());
    }
    let command = Command::new(program, &directory).args(files);
    build.run(&command.args(arguments))
}

/// Returns the part of the handler that an artifact depends on: all of it when it selects the bundled module, else its
/// directory, which ends in `/`. `None` for a handler in a layer (`/opt`) or without a directory.
pub(crate) fn handler(facts: &BuildFacts) -> Option<&str> {
    let handler = facts.handler.text()?;
    if !has_entry_points(facts) {
        return Some(handler);
    }
    let end = handler.rfind('/').filter(|_| !handler.starts_with('/'))?;
    handler.get(..=end)
}

/// Returns `true` when bundles are written into the directories of their sources: the handler is in one, and otherwise
/// esbuild omits the common prefix of the entry points, so that Lambda would not find the handler.
fn keeps_directories(job: &Job, entry_points: &[String]) -> bool {
    let of_handler = job.recipe.handler.as_deref().and_then(directory);
    let is_free = job.property("Outbase").is_none();
    of_handler.is_some_and(|wanted| is_free && entry_points.iter().any(|name| directory(name) == Some(wanted)))
}

fn directory(module: &str) -> Option<&str> {
    Some(module.trim_start_matches("./").rsplit_once('/')?.0)
}

/// Returns `true` when the metadata of a resource lists entry points; else the module of the handler is bundled.
pub(crate) fn has_entry_points(facts: &BuildFacts) -> bool {
    let properties = facts.metadata.member("BuildProperties");
    matches!(properties, Some(Value::Map(members)) if members.iter().any(|(name, _)| name == "EntryPoints"))
}

/// Appends the extension of its file to an entry point that omits it.
fn with_extension(directory: &Path, name: &str) -> String {
    let has_extension = Path::new(name).extension().is_some();
    let found = [".ts", ".js"].iter().map(|end| format!("{name}{end}")).find(|name| directory.join(name).is_file());
    found.filter(|_| !has_extension).unwrap_or_else(|| name.to_owned())
}

/// Returns the arguments behind the entry points, the defaults of SAM CLI included.
fn arguments(job: &Job, directory: &Path, artifacts: &Path) -> Vec<String> {
    let mut arguments =
        vec!["--bundle".to_owned(), "--platform=node".to_owned(), format!("--outdir={}", artifacts.display())];
    for (name, default) in [("Minify", "--minify"), ("Target", "--target=es2020"), ("Format", "--format=cjs")] {
        if job.property(name).is_none() {
            arguments.push(default.to_owned());
        }
    }
    if let Some(Value::Map(members)) = job.recipe.metadata.member("BuildProperties") {
        for (name, value) in members.iter().filter(|(name, _)| !NOT_OPTIONS.contains(&name.as_str())) {
            arguments.extend(option(name, value, directory));
        }
    }
    arguments
}

fn option(name: &str, value: &Value, directory: &Path) -> Vec<String> {
    let option = option_name(name);
    match value {
        Value::List(_) if JOINED.contains(&name) => vec![format!("{option}={}", strings(Some(value)).join(","))],
        Value::List(_) => {
            let items = strings(Some(value)).into_iter();
            let all = items.flat_map(|item| {
                if name == "External" && item == ALL_PACKAGES { packages(directory) } else { vec![item] }
            });
            all.map(|item| format!("{option}:{item}")).collect()
        }
        Value::Map(members) => {
            members.iter().filter_map(|(key, value)| Some(format!("{option}:{key}={}", text(value)?))).collect()
        }
        _ => match text(value) {
            Some("true") => vec![option],
            Some("false") if !ON.contains(&name) => Vec::new(),
            Some(value) => vec![format!("{option}={value}")],
            None => Vec::new(),
        },
    }
}

/// Returns the option of a property: `--main-fields` of `MainFields`.
fn option_name(name: &str) -> String {
    let mut option = "-".to_owned();
    for (at, c) in name.char_indices() {
        if at == 0 || c.is_ascii_uppercase() {
            option.push('-');
        }
        option.push(c.to_ascii_lowercase());
    }
    option
}

fn packages(directory: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join("package.json")).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let names = manifest.get("dependencies").and_then(serde_json::Value::as_object);
    names.into_iter().flat_map(|names| names.keys().cloned()).collect()
}
