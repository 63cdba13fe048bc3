//! The Python wheel: `pip install` puts the program on the `PATH`, completions and manual pages below `share`, and beside
//! the program a script with the name of the distribution, so that `uvx formwork-cfn` runs it.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::platform::Platform;
use super::staging::Staging;
use super::{DISTRIBUTION, LICENCE, REPOSITORY, SUMMARY, VERSION};

/// The package that the script imports.
const MODULE: &str = "formwork_cfn";

/// Where shells and `man` look for a file of the archive, below `share`. They do not look for completions of `PowerShell`.
fn shared(path: &str) -> Option<String> {
    match path {
        "completions/formwork.bash" => Some("bash-completion/completions/formwork".to_owned()),
        "completions/_formwork" => Some("zsh/site-functions/_formwork".to_owned()),
        "completions/formwork.fish" => Some("fish/vendor_completions.d/formwork.fish".to_owned()),
        _ => path.starts_with("man/").then(|| path.to_owned()),
    }
}

/// The name of the distribution in file names.
fn base() -> String {
    format!("{}-{VERSION}", DISTRIBUTION.replace('-', "_"))
}

/// Its name.
pub(super) fn file_name(platform: &Platform) -> String {
    format!("{}-py3-none-{}.whl", base(), platform.wheel)
}

/// Its bytes.
pub(super) fn pack(
    platform: &Platform,
    program: &[u8],
    staging: &Staging,
    description: &str,
    module: &[(&str, Vec<u8>)],
) -> Result<Vec<u8>, String> {
    let (info, base) = (format!("{}.dist-info", base()), base());
    let mut wheel = Wheel { zip: ZipWriter::new(Cursor::new(Vec::new())), record: String::new() };
    wheel.add(&format!("{base}.data/scripts/{}", platform.program), program, 0o755)?;
    for (name, content) in module {
        wheel.add(&format!("{MODULE}/{name}"), content, 0o644)?;
    }
    for (path, content, _) in staging.files() {
        if let Some(place) = shared(path) {
            wheel.add(&format!("{base}.data/data/share/{place}"), content, 0o644)?;
        }
    }
    for (path, content) in staging.licences() {
        wheel.add(&format!("{info}/licenses/{path}"), content, 0o644)?;
    }
    let metadata = format!(
        "Metadata-Version: 2.4\nName: {DISTRIBUTION}\nVersion: {VERSION}\nSummary: {SUMMARY}\nProject-URL: Source, {REPOSITORY}\nProject-URL: Changelog, {REPOSITORY}/blob/main/CHANGELOG.md\n\
         License-Expression: {LICENCE}\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{description}"
    );
    wheel.add(&format!("{info}/METADATA"), metadata.as_bytes(), 0o644)?;
    let scripts = format!("[console_scripts]\n{DISTRIBUTION} = {MODULE}.__main__:main\n");
    wheel.add(&format!("{info}/entry_points.txt"), scripts.as_bytes(), 0o644)?;
    let tags: String =
        platform.wheel.split('.').fold(String::new(), |tags, tag| tags + &format!("Tag: py3-none-{tag}\n"));
    let about = format!("Wheel-Version: 1.0\nGenerator: formwork xtask\nRoot-Is-Purelib: false\n{tags}");
    wheel.add(&format!("{info}/WHEEL"), about.as_bytes(), 0o644)?;
    wheel.finish(&format!("{info}/RECORD"))
}

struct Wheel {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    /// The list of files with their sums, which the format asks for.
    record: String,
}

impl Wheel {
    fn add(&mut self, path: &str, content: &[u8], mode: u32) -> Result<(), String> {
        let sum = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(content));
        let _ = writeln!(self.record, "{path},sha256={sum},{}", content.len());
        self.put(path, content, mode)
    }

    fn put(&mut self, path: &str, content: &[u8], mode: u32) -> Result<(), String> {
        let options = SimpleFileOptions::default().unix_permissions(mode).last_modified_time(zip::DateTime::default());
        self.zip.start_file(path, options).map_err(|error| error.to_string())?;
        self.zip.write_all(content).map_err(|error| error.to_string())
    }

    fn finish(mut self, record: &str) -> Result<Vec<u8>, String> {
        let list = format!("{}{record},,\n", self.record);
        self.put(record, list.as_bytes(), 0o644)?;
        self.zip.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
    }
}
