//! The npm package: `npm install` links the program into `node_modules/.bin`.

use serde_json::json;

use super::archive::tar;
use super::platform::Platform;
use super::staging::Staging;
use super::{DISTRIBUTION, LICENCE, REPOSITORY, SUMMARY, VERSION, failed};

/// Its name, as `npm pack` would choose it.
pub(super) fn file_name() -> String {
    format!("{DISTRIBUTION}-{VERSION}.tgz")
}

/// Its bytes.
pub(super) fn pack(
    platform: &Platform,
    program: &[u8],
    staging: &Staging,
    description: &str,
) -> Result<Vec<u8>, String> {
    let (os, cpu) = platform.npm;
    let path = format!("bin/{}", platform.program);
    let package = json!({
        "name": DISTRIBUTION,
        "version": VERSION,
        "description": SUMMARY,
        "license": LICENCE,
        "repository": {"type": "git", "url": format!("git+{REPOSITORY}.git")},
        "os": [os],
        "cpu": [cpu],
        "bin": {"formwork": &path},
        "files": ["bin", "LICENSE*", "THIRD-PARTY-LICENSES.txt"],
    });
    let package = format!("{package:#}\n");
    let own = [
        ("package.json".to_owned(), package.as_bytes(), false),
        ("README.md".to_owned(), description.as_bytes(), false),
        (path, program, true),
    ];
    let licences = staging.licences().map(|(path, content)| (path.to_owned(), content, false));
    let files = own.into_iter().chain(licences);
    tar(files.map(|(path, content, runs)| (format!("package/{path}"), content, runs)))
        .map_err(|error| failed("the npm package".as_ref(), &error))
}
