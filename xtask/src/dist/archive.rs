//! The archive: `formwork-VERSION-TARGET.tar.gz`, or `.zip` for Windows, everything in a directory of that name.

use std::io::{self, Cursor, Write as _};

use flate2::{Compression, GzBuilder};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::platform::Platform;
use super::staging::Staging;
use super::{VERSION, failed};

/// Its file name.
pub(super) fn file_name(platform: &Platform) -> String {
    format!("{}.{}", name(platform), if platform.has_zip() { "zip" } else { "tar.gz" })
}

/// The name of its directory.
fn name(platform: &Platform) -> String {
    format!("formwork-{VERSION}-{}", platform.triple)
}

/// Its bytes.
pub(super) fn pack(platform: &Platform, staging: &Staging) -> Result<Vec<u8>, String> {
    let name = name(platform);
    let files = staging.files().map(|(path, content, runs)| (format!("{name}/{path}"), content, runs));
    let packed = if platform.has_zip() { zip(files) } else { tar(files) };
    packed.map_err(|error| failed(name.as_ref(), &error))
}

/// The bytes of a zip archive of files, without times and owners.
fn zip<'f>(files: impl Iterator<Item = (String, &'f [u8], bool)>) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content, runs) in files {
        let options = SimpleFileOptions::default().unix_permissions(if runs { 0o755 } else { 0o644 });
        archive.start_file(path, options.last_modified_time(zip::DateTime::default()))?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_has_a_zip_archive_with_the_same_bytes_each_time() {
        let platform = Platform::of("x86_64-pc-windows-msvc").expect("a platform");
        let mut staging = Staging::default();
        staging.add_program(platform.program, b"MZ".to_vec());
        staging.add("README.md", b"text".to_vec());
        let bytes = pack(platform, &staging).expect("an archive");
        assert!(file_name(platform).ends_with("-x86_64-pc-windows-msvc.zip") && bytes.starts_with(b"PK"));
        assert_eq!(bytes, pack(platform, &staging).expect("an archive"));
        let mut read = zip::ZipArchive::new(Cursor::new(bytes)).expect("a zip archive");
        let path = format!("{}/{}", name(platform), platform.program);
        assert_eq!(read.by_name(&path).expect("the program").size(), 2);
    }
}
