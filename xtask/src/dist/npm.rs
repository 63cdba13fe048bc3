//! The npm packages: one for each platform, which has the program and is installed where `os` and `cpu` fit, and one that
//! names all of them as optional dependencies and has a launcher. Nothing is downloaded by a script of an installation.

use serde_json::{Map, Value, json};

use super::archive::tar;
use super::platform::{PLATFORMS, Platform};
use super::staging::Staging;
use super::{DISTRIBUTION, LICENCE, REPOSITORY, SUMMARY, VERSION, failed};

/// A platform that has a package on npm.
pub(super) struct Named {
    platform: &'static Platform,
    os: &'static str,
    cpu: &'static str,
}

impl Named {
    /// `None` where npm has the program of another platform for the same machines.
    pub(super) fn of(platform: &'static Platform) -> Option<Named> {
        platform.npm.map(|(os, cpu)| Named { platform, os, cpu })
    }

    /// The name of its package.
    pub(super) fn name(&self) -> String {
        format!("@{DISTRIBUTION}/{}-{}", self.os, self.cpu)
    }

    /// The file of its package, named as `npm pack` does.
    pub(super) fn file_name(&self) -> String {
        format!("{DISTRIBUTION}-{}-{}-{VERSION}.tgz", self.os, self.cpu)
    }

    /// Its package.
    pub(super) fn pack(&self, program: &[u8], staging: &Staging) -> Result<Vec<u8>, String> {
        let (name, triple) = (self.name(), self.platform.triple);
        let mut package = about(&name, &format!("The program of {DISTRIBUTION} for {triple}"));
        package["os"] = json!([self.os]);
        package["cpu"] = json!([self.cpu]);
        // A package manager that keeps packages in archives has to unpack this one: the program is run.
        package["preferUnplugged"] = json!(true);
        let readme = format!(
            "# {name}\n\nThe program of [{DISTRIBUTION}](https://www.npmjs.com/package/{DISTRIBUTION}) for `{triple}`. Install `{DISTRIBUTION}`.\n"
        );
        let licences = staging.licences().map(|(path, content)| (path, content, false));
        let files = [("README.md", readme.as_bytes(), false), (self.platform.program, program, true)];
        tgz(&package, files.into_iter().chain(licences))
    }
}

/// The file of the package that people install.
pub(super) fn file_name() -> String {
    format!("{DISTRIBUTION}-{VERSION}.tgz")
}

/// The package that people install: the same bytes for all platforms.
pub(super) fn pack(launcher: &[u8], staging: &Staging, description: &str) -> Result<Vec<u8>, String> {
    let mut package = about(DISTRIBUTION, SUMMARY);
    package["keywords"] = json!(["cloudformation", "aws", "sam", "serverless", "infrastructure"]);
    package["bin"] = json!({"formwork": LAUNCHER, DISTRIBUTION: LAUNCHER});
    package["engines"] = json!({"node": ">=14"});
    let platforms = PLATFORMS.iter().filter_map(Named::of).map(|named| (named.name(), json!(VERSION)));
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
