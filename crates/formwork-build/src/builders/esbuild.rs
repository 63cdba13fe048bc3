//! Node.js bundled by esbuild (reference/build.md#esbuild).

use std::path::Path;

use super::{Build, make_folder, node};
use crate::build_error::BuildError;
use crate::command::Command;

const INSTALL: &str =
    "add esbuild to the devDependencies of package.json, or install it: `npm install --global esbuild`";

/// `BuildProperties` that are switches of esbuild of one name.
const SWITCHES: &[(&str, &str)] = &[("Minify", "--minify"), ("Splitting", "--splitting")];
/// Those that have one value.
const VALUES: &[(&str, &str)] = &[
    ("Target", "--target"),
    ("Format", "--format"),
    ("SourcesContent", "--sources-content"),
    ("TreeShaking", "--tree-shaking"),
    ("LogLevel", "--log-level"),
    ("Packages", "--packages"),
    ("Platform", "--platform"),
];
/// Those that are lists of which each item is an argument.
const LISTS: &[(&str, &str, char)] = &[
    ("External", "--external", ':'),
    ("Loader", "--loader", ':'),
    ("Alias", "--alias", ':'),
    ("Define", "--define", ':'),
    ("Banner", "--banner", ':'),
    ("Footer", "--footer", ':'),
    ("Inject", "--inject", ':'),
    ("OutExtension", "--out-extension", ':'),
];
/// Those that are lists of which all items are one argument.
const JOINED: &[(&str, &str)] = &[("MainFields", "--main-fields"), ("Conditions", "--conditions")];

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    let entry_points = build.job.properties("EntryPoints");
    if entry_points.is_empty() {
        let help = "name what to bundle in Metadata: `BuildProperties: {EntryPoints: [app.ts]}`";
        return Err(BuildError::unfit("`BuildMethod: esbuild` has no EntryPoints", help));
    }
    let folder = if build.job.recipe.in_source {
        node::install(build, &build.job.source, true)?;
        build.job.source.clone()
    } else {
        node::installed(build, true)?
    };
    let own = folder.join("node_modules/.bin/esbuild");
    let program = if own.is_file() { own } else { build.path.require("esbuild", INSTALL)? };
    make_folder(build.artifacts)?;
    let command = Command::new(program, &folder).args(&entry_points);
    build.run(&command.args(arguments(build, build.artifacts)))
}

/// The arguments behind the entry points, the defaults of SAM CLI included.
fn arguments(build: &Build<'_>, artifacts: &Path) -> Vec<String> {
    let job = build.job;
    let mut arguments =
        vec!["--bundle".to_owned(), "--platform=node".to_owned(), format!("--outdir={}", artifacts.display())];
    let has = |name: &str| job.property(name).is_some();
    for (name, default) in [("Minify", "--minify"), ("Target", "--target=es2020"), ("Format", "--format=cjs")] {
        if !has(name) {
            arguments.push(default.to_owned());
        }
    }
    for (name, option) in SWITCHES {
        if job.switch(name) == Some(true) {
            arguments.push((*option).to_owned());
        }
    }
    match (job.switch("Sourcemap"), job.properties("Sourcemap").first()) {
        (_, Some(kind)) if ["inline", "external", "linked", "both"].contains(&kind.as_str()) => {
            arguments.push(format!("--sourcemap={kind}"));
        }
        (Some(true), _) => arguments.push("--sourcemap".to_owned()),
        _ => {}
    }
    for (name, option) in VALUES {
        if let Some(value) = job.properties(name).first().filter(|_| *name != "Platform") {
            arguments.push(format!("{option}={value}"));
        }
    }
    for (name, option, between) in LISTS {
        arguments.extend(job.properties(name).iter().map(|item| format!("{option}{between}{item}")));
    }
    for (name, option) in JOINED {
        let items = job.properties(name);
        if !items.is_empty() {
            arguments.push(format!("{option}={}", items.join(",")));
        }
    }
    arguments
}
