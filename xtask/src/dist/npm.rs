//! The npm packages: one for each platform, which has the program and is installed where `os` and `cpu` fit, and one that
//! names all of them as optional dependencies and has a launcher. Nothing is downloaded by a script of an installation.

use serde_json::{Map, Value, json};

use super::archive::tar;
use super::platform::{PLATFORMS, Platform};
use super::staging::Staging;
use super::{DISTRIBUTION, LICENCE, REPOSITORY, SUMMARY, VERSION, failed};

/// Its name on npm, without the scope.
fn short_name(platform: &Platform) -> String {
    let (os, cpu) = platform.npm;
    format!("{os}-{cpu}")
}

/// The file of the package of a platform, named as `npm pack` does.
pub(super) fn platform_file_name(platform: &Platform) -> String {
    format!("{DISTRIBUTION}-{}-{VERSION}.tgz", short_name(platform))
}

/// The file of the package that people install.
pub(super) fn file_name() -> String {
    format!("{DISTRIBUTION}-{VERSION}.tgz")
}

/// The package of a platform.
pub(super) fn pack_platform(platform: &Platform, program: &[u8], staging: &Staging) -> Result<Vec<u8>, String> {
    let (os, cpu) = platform.npm;
    let name = format!("@{DISTRIBUTION}/{}", short_name(platform));
    let mut package = about(&name, &format!("The program of {DISTRIBUTION} for {}", platform.triple));
    package["os"] = json!([os]);
    package["cpu"] = json!([cpu]);
    // A package manager that keeps packages in archives has to unpack this one: the program is run.
    package["preferUnplugged"] = json!(true);
    let readme = format!(
        "# {name}\n\nThe program of [{DISTRIBUTION}](https://www.npmjs.com/package/{DISTRIBUTION}) for `{}`. Install `{DISTRIBUTION}`.\n",
        platform.triple
    );
    let licences = staging.licences().map(|(path, content)| (path, content, false));
    let files = [("README.md", readme.as_bytes(), false), (platform.program, program, true)];
    tgz(&package, files.into_iter().chain(licences))
}

/// The package that people install: the same bytes for all platforms.
pub(super) fn pack(launcher: &[u8], staging: &Staging, description: &str) -> Result<Vec<u8>, String> {
    let mut package = about(DISTRIBUTION, SUMMARY);
    package["keywords"] = json!(["cloudformation", "aws", "sam", "serverless", "infrastructure"]);
    package["bin"] = json!({"formwork": LAUNCHER, DISTRIBUTION: LAUNCHER});
    package["engines"] = json!({"node": ">=14"});
    let platforms =
        PLATFORMS.iter().map(|platform| (format!("@{DISTRIBUTION}/{}", short_name(platform)), json!(VERSION)));
    package["optionalDependencies"] = Value::Object(platforms.collect::<Map<_, _>>());
    let licences = staging.licences().map(|(path, content)| (path, content, false));
    let files = [("README.md", description.as_bytes(), false), (LAUNCHER, launcher, true)];
    tgz(&package, files.into_iter().chain(licences.filter(|(path, ..)| !path.starts_with("THIRD-PARTY"))))
}

const LAUNCHER: &str = "bin/formwork.js";

fn about(name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "version": VERSION,
        "description": description,
        "license": LICENCE,
        "homepage": format!("{REPOSITORY}#readme"),
        "repository": {"type": "git", "url": format!("git+{REPOSITORY}.git")},
        "publishConfig": {"access": "public"},
    })
}

fn tgz<'f>(package: &Value, files: impl Iterator<Item = (&'f str, &'f [u8], bool)>) -> Result<Vec<u8>, String> {
    let package = format!("{package:#}\n");
    let files: Vec<(&str, &[u8], bool)> = files.collect();
    let all = [("package.json", package.as_bytes(), false)].into_iter().chain(files);
    tar(all.map(|(path, content, runs)| (format!("package/{path}"), content, runs)))
        .map_err(|error| failed("the npm package".as_ref(), &error))
}
