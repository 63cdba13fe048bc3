//! The archive: `formwork-VERSION-TARGET.tar.gz`, everything in a directory of that name.

use std::io;

use flate2::{Compression, GzBuilder};

use super::platform::Platform;
use super::staging::Staging;
use super::{VERSION, failed};

/// Its name, without the ending.
pub(super) fn name(platform: &Platform) -> String {
    format!("formwork-{VERSION}-{}", platform.triple)
}

/// Its bytes.
pub(super) fn pack(platform: &Platform, staging: &Staging) -> Result<Vec<u8>, String> {
    let name = name(platform);
    tar(staging.files().map(|(path, content, runs)| (format!("{name}/{path}"), content, runs)))
        .map_err(|error| failed(name.as_ref(), &error))
}

/// A compressed archive of files, without times and owners.
pub(super) fn tar<'f>(files: impl Iterator<Item = (String, &'f [u8], bool)>) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
    for (path, content, runs) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(if runs { 0o755 } else { 0o644 });
        archive.append_data(&mut header, path, content)?;
    }
    archive.into_inner()?.finish()
}
