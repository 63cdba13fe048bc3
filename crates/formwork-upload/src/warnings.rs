//! Warnings about the contents of an artifact: likely secrets, and sizes above the limits of Lambda
//! (reference/packaging.md#contents). Building and packaging share them.

use std::io::Read;
use std::path::Path;

use formwork_disk::open_regular;

use crate::listing::{Listed, ListedContent};
use crate::prepare::Mention;
use crate::upload_all::known_as;

/// Lambda accepts at most this many bytes of a function and its layers, unzipped.
const UNZIPPED: u64 = 262_144_000;
/// Maximum number of bytes of a file that are searched for a secret.
const LOOKED_AT: u64 = 1 << 20;
const NAMED: usize = 5;

const NAMES: &[&str] =
    &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".env", ".netrc", ".pypirc", ".git-credentials", ".htpasswd"];
const ENDS: &[&str] = &[".p12", ".pfx", ".keystore", ".jks"];
/// Endings of `.env.NAME` for files that people copy and fill in.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults"];

/// Returns the files that are likely secrets, by their paths in the artifact, in order. Packages that npm installed are
/// skipped.
pub(crate) fn likely_secrets(files: &[Listed]) -> Vec<String> {
    let own = files.iter().filter(|listed| !listed.entry.path.split('/').any(|part| part == "node_modules"));
    let secret = own.filter(|listed| match &listed.source {
        ListedContent::File(source) => is_secret(&listed.entry.path, source),
        ListedContent::Text(_) => false,
    });
    secret.map(|listed| listed.entry.path.clone()).collect()
}

/// Returns `true` for a likely secret: `path` is its path in the artifact, `source` the file on disk.
fn is_secret(path: &str, source: &Path) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    if NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end)) || path.ends_with(".aws/credentials") {
        return true;
    }
    if let Some(kind) = name.strip_prefix(".env.") {
        return !SAMPLES.contains(&kind);
    }
    if name == ".npmrc" {
        return has(source, has_token);
    }
    // Certificates are public, unless a key is beside them.
    let is_certificate = |text: &str| text.contains("BEGIN CERTIFICATE") && !text.contains("PRIVATE KEY");
    has_extension(name, "pem") && !has(source, is_certificate)
        || has_extension(name, "key") && has(source, |text| text.contains("PRIVATE KEY"))
}

/// Returns `true` if npm settings contain a literal token: `${NAME}` is a variable.
fn has_token(text: &str) -> bool {
    text.lines().filter_map(|line| line.split_once('=')).any(|(key, value)| {
        let (key, value) = (key.trim(), value.trim().trim_matches('"'));
        let is_kept = ["_authToken", "_auth", "_password"].iter().any(|end| key.ends_with(end));
        is_kept && !key.starts_with(['#', ';']) && !value.is_empty() && !value.starts_with("${")
    })
}

/// Returns `true` if the text of a file matches; `false` when it cannot be read.
fn has(source: &Path, property: impl Fn(&str) -> bool) -> bool {
    let Ok((file, _)) = open_regular(source) else { return false };
    let mut bytes = Vec::new();
    file.take(LOOKED_AT).read_to_end(&mut bytes).is_ok_and(|_| property(&String::from_utf8_lossy(&bytes)))
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Returns a warning for an artifact with likely secrets, `files`. `mentions` are its places in the templates.
pub fn of_secrets(mentions: &[Mention], files: &[String]) -> Option<String> {
    let what = match files.len() {
        0 => return None,
        1 => "a likely secret",
        _ => "likely secrets",
    };
    let mut names = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if files.len() > NAMED {
        names = format!("{names} and {} more", files.len() - NAMED);
    }
    let artifact = known_as(mentions, || "an artifact".to_owned());
    Some(format!("{artifact} has {what}: {names}; leave out with `.formworkignore` what is not needed"))
}

/// Returns a warning for an artifact that is too large unzipped. `mentions` are its places in the templates.
pub fn of_size(mentions: &[Mention], bytes: u64) -> Option<String> {
    let artifact = known_as(mentions, || "an artifact".to_owned());
    (bytes > UNZIPPED).then(|| {
        format!(
            "{artifact} has {bytes} bytes unzipped: Lambda rejects a function and its layers of more than {UNZIPPED}"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn mentions() -> Vec<Mention> {
        let of = |resource: &str| Mention {
            path: "src".to_owned(),
            resource: resource.to_owned(),
            property: "CodeUri".to_owned(),
        };
        vec![of("A"), of("B")]
    }

    #[test]
    fn likely_secrets_are_found_by_name_and_content() {
        let directory = tempfile::tempdir().expect("a directory");
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
            let full = directory.path().join(path);
            fs::create_dir_all(full.parent().expect("a parent")).expect("a directory");
            fs::write(&full, text).expect("written");
            assert_eq!(is_secret(path, &full), expected, "{path}");
        }
    }

    #[test]
    fn a_warning_names_the_artifact_and_its_first_files() {
        let files = |count: usize| (0..count).map(|number| format!("{number}/.env")).collect::<Vec<_>>();
        assert_eq!(of_secrets(&mentions(), &[]), None);
        let warning = of_secrets(&mentions(), &files(1)).expect("a warning");
        assert!(
            warning.starts_with("src (CodeUri of A, and 1 more) has a likely secret: 0/.env; leave out"),
            "{warning}"
        );
        let warning = of_secrets(&mentions(), &files(7)).expect("a warning");
        assert!(warning.contains("likely secrets: 0/.env, 1/.env, 2/.env, 3/.env, 4/.env and 2 more;"), "{warning}");
    }

    #[test]
    fn more_than_lambda_takes_is_reported() {
        assert_eq!(of_size(&mentions(), UNZIPPED), None);
        let warning = of_size(&mentions(), UNZIPPED + 1).expect("a warning");
        assert!(warning.starts_with("src (CodeUri of A, and 1 more) has 262144001 bytes unzipped"), "{warning}");
    }
}
