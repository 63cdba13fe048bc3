//! Warnings about artifacts: what looks like a secret in a source, and more than Lambda takes
//! (reference/build.md#warnings).

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use formwork_disk::open_regular;
use formwork_upload::SourceTree;

use crate::builder::Builder;
use crate::job::Job;

/// The most bytes of the files of a function and its layers, unzipped.
const UNZIPPED: u64 = 262_144_000;
/// The most bytes of a file that are read to decide whether it has a secret.
const LOOKED_AT: u64 = 1 << 20;
/// Files that are named; the rest are counted.
const NAMED: usize = 5;

/// Names of files with secrets.
const NAMES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".env", ".netrc", ".pypirc", ".git-credentials", ".htpasswd"];
/// Ends of names of files with secrets.
const ENDS: &[&str] = &[".p12", ".pfx", ".keystore", ".jks"];
/// Ends of `.env.NAME` for files that people copy and fill in.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults"];

/// Returns the files of a source that are likely secrets and that are in its artifact.
pub(crate) fn secrets(job: &Job, tree: &SourceTree) -> Vec<String> {
    let builder = job.recipe.builder;
    let has_source = matches!(
        builder,
        Builder::Copy | Builder::Pip | Builder::Uv | Builder::Poetry | Builder::Node | Builder::Bundler
    );
    if !has_source || !job.source.is_dir() {
        return Vec::new();
    }
    // Of these builders' artifacts it is removed.
    let is_removed = |path: &str| path == ".npmrc" && builder == Builder::Node;
    let paths = tree.paths().filter(|path| !is_removed(path) && is_secret(&job.source, path));
    paths.map(str::to_owned).collect()
}

fn is_secret(source: &Path, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end)) || path.ends_with(".aws/credentials") {
        return true;
    }
    if let Some(kind) = name.strip_prefix(".env.") {
        return !SAMPLES.contains(&kind);
    }
    if name == ".npmrc" {
        return has(source, path, has_token);
    }
    // Certificates are public, unless a key is beside them.
    let is_certificate = |text: &str| text.contains("BEGIN CERTIFICATE") && !text.contains("PRIVATE KEY");
    has_extension(name, "pem") && !has(source, path, is_certificate)
        || has_extension(name, "key") && has(source, path, |text| text.contains("PRIVATE KEY"))
}

/// Whether settings of npm have a token that is written there: `${NAME}` is a variable.
fn has_token(text: &str) -> bool {
    text.lines().filter_map(|line| line.split_once('=')).any(|(key, value)| {
        let (key, value) = (key.trim(), value.trim().trim_matches('"'));
        let is_kept = ["_authToken", "_auth", "_password"].iter().any(|end| key.ends_with(end));
        is_kept && !key.starts_with(['#', ';']) && !value.is_empty() && !value.starts_with("${")
    })
}

/// Whether a file has a text with a property; `false` when it cannot be read.
fn has(source: &Path, path: &str, property: impl Fn(&str) -> bool) -> bool {
    let Ok((file, _)) = open_regular(&source.join(path)) else { return false };
    let mut bytes = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut bytes).is_ok_and(|_| property(&String::from_utf8_lossy(&bytes)))
}

/// The warning of all artifacts with such files, by their paths below the build directory.
pub(crate) fn with_secrets(files: &[String]) -> String {
    let mut names = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if files.len() > NAMED {
        names = format!("{names} and {} more", files.len() - NAMED);
    }
    let these = if files.len() == 1 { "a likely secret is in an artifact" } else { "likely secrets are in artifacts" };
    format!("{these}: {names}; leave out with `.formworkignore` what a function does not need")
}

/// The warning of an artifact that is too large, if it is.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn too_large(product: &str, artifact: &Path) -> io::Result<Option<String>> {
    let bytes = bytes(artifact)?;
    Ok((bytes > UNZIPPED).then(|| {
        format!(
            "{product} has {bytes} bytes unzipped: Lambda rejects a function and its layers of more than {UNZIPPED}"
        )
    }))
}

/// The bytes of all files of a directory.
fn bytes(path: &Path) -> io::Result<u64> {
    let (mut left, mut sum) = (vec![path.to_owned()], 0);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.is_dir() {
                left.push(entry.path());
            } else if found.is_file() {
                sum += found.len();
            }
        }
    }
    Ok(sum)
}

fn has_extension(name: &str, extension: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_secrets_are_told_by_name_and_content() {
        let folder = tempfile::tempdir().expect("a directory");
        let key = "-----BEGIN PRIVATE KEY-----\n";
        let certificate = "-----BEGIN CERTIFICATE-----\n";
        for (path, text, expected) in [
            (".env", "", true),
            (".env.production", "", true),
            (".env.example", "", false),
            ("app.env.py", "", false),
            ("keys/id_rsa", "", true),
            ("keys/id_rsa.pub", "", false),
            ("own.pem", key, true),
            ("odd.pem", "secret", true),
            ("both.pem", "-----BEGIN CERTIFICATE-----\n-----BEGIN RSA PRIVATE KEY-----\n", true),
            ("global-bundle.pem", certificate, false),
            ("server.key", key, true),
            ("i18n.key", "hello", false),
            (".npmrc", "//registry.example/:_authToken=npm_x\n", true),
            ("a/.npmrc", "//registry.example/:_authToken=${NPM_TOKEN}\n", false),
            ("b/.npmrc", "# x:_authToken=y\nregistry=https://registry.example\n", false),
            ("home/.aws/credentials", "", true),
            ("app.py", key, false),
        ] {
            let full = folder.path().join(path);
            fs::create_dir_all(full.parent().expect("a parent")).expect("a directory");
            fs::write(full, text).expect("written");
            assert_eq!(is_secret(folder.path(), path), expected, "{path}");
        }
    }

    #[test]
    fn more_than_lambda_takes_is_counted_in_all_directories() {
        let folder = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(folder.path().join("a/b")).expect("a directory");
        let sparse = |name: &str, bytes: u64| {
            let file = fs::File::create(folder.path().join(name)).expect("a file");
            file.set_len(bytes).expect("a size");
        };
        sparse("a/one", UNZIPPED - 1);
        sparse("a/b/two", 1);
        assert_eq!(too_large("F", folder.path()).expect("read"), None);
        sparse("a/b/two", 2);
        let warning = too_large("F", folder.path()).expect("read").expect("a warning");
        assert!(warning.starts_with("F has 262144001 bytes unzipped"), "{warning}");
    }
}
