//! Zips whose bytes depend only on the files in them (reference/packaging.md#zips).

use std::io::{self, Read, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// An entry of a zip.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// The path of the entry, with `/` between the parts and none at the end.
    pub path: String,
    /// The kind of the entry.
    pub kind: EntryKind,
}

/// The kind of a zip entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EntryKind {
    /// A file.
    File {
        /// Set if anyone may execute it.
        is_executable: bool,
    },
    /// A symbolic link, whose content is its target.
    Link,
    /// An empty directory.
    EmptyDirectory,
}

impl EntryKind {
    /// Returns the mode of the entry in every zip, independent of the umask under which the file was created.
    pub fn mode(self) -> u32 {
        match self {
            EntryKind::File { is_executable: true } => 0o100_755,
            EntryKind::File { is_executable: false } => 0o100_644,
            EntryKind::Link => 0o120_777,
            EntryKind::EmptyDirectory => 0o040_755,
        }
    }
}

/// The level of compression; the same for all, so that one version of the compressor has one result.
const LEVEL: i64 = 6;
/// The size from which the zip format needs 64 bits.
const LARGE: u64 = 0xffff_ffff;

/// Writes a zip of files; `open` returns the content of an entry with its size. The entries are in the
/// order of their paths.
///
/// # Errors
/// When a file cannot be read, or the zip cannot be written.
pub fn write<W: Write + Seek>(
    to: W,
    entries: &[Entry],
    mut open: impl FnMut(&Entry) -> io::Result<(Box<dyn Read>, u64)>,
) -> io::Result<W> {
    debug_assert!(entries.is_sorted_by(|a, b| a.path.as_bytes() < b.path.as_bytes()), "entries are sorted");
    let mut zip = ZipWriter::new(to);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(DateTime::default());
    for entry in entries {
        let options = options.unix_permissions(entry.kind.mode() & 0o777);
        match entry.kind {
            EntryKind::EmptyDirectory => zip.add_directory(entry.path.as_str(), options).map_err(io::Error::from)?,
            EntryKind::Link => {
                let mut target = String::new();
                open(entry)?.0.read_to_string(&mut target)?;
                zip.add_symlink(entry.path.as_str(), target, options).map_err(io::Error::from)?;
            }
            EntryKind::File { .. } => {
                let (mut content, size) = open(entry)?;
                let options = options.large_file(size >= LARGE);
                zip.start_file(entry.path.as_str(), options).map_err(io::Error::from)?;
                io::copy(&mut content, &mut zip)?;
            }
        }
    }
    zip.finish().map_err(io::Error::from)
}

/// Returns `true` for the content of a zip.
pub fn is_zip(content: impl Read + Seek) -> bool {
    zip::ZipArchive::new(content).is_ok()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn zipped(entries: &[(&str, EntryKind, &str)]) -> Vec<u8> {
        let list: Vec<Entry> = entries.iter().map(|&(path, kind, _)| Entry { path: path.to_owned(), kind }).collect();
        let open = |entry: &Entry| -> io::Result<(Box<dyn Read>, u64)> {
            let content = entries.iter().find(|(path, ..)| *path == entry.path).map_or("", |found| found.2);
            Ok((Box::new(Cursor::new(content.to_owned())), content.len() as u64))
        };
        write(Cursor::new(Vec::new()), &list, open).expect("a zip").into_inner()
    }

    #[test]
    fn a_zip_has_fixed_times_and_modes() {
        let file = EntryKind::File { is_executable: true };
        let bytes =
            zipped(&[("a/run", file, "#!"), ("b", EntryKind::EmptyDirectory, ""), ("c", EntryKind::Link, "a/run")]);
        let mut zip = zip::ZipArchive::new(Cursor::new(&bytes)).expect("a zip");
        let modes: Vec<(String, Option<u32>)> = (0..zip.len())
            .map(|at| {
                let entry = zip.by_index(at).expect("an entry");
                assert_eq!(entry.last_modified().map(|time| time.year()), Some(1980));
                assert!(entry.extra_data().is_none_or(|extra| extra.is_empty()), "an extra field");
                (entry.name().expect("a name").into_owned(), entry.unix_mode())
            })
            .collect();
        let expected = [
            ("a/run".to_owned(), Some(0o100_755)),
            ("b/".to_owned(), Some(0o040_755)),
            ("c".to_owned(), Some(0o120_777)),
        ];
        assert_eq!(modes, expected);
        assert!(is_zip(Cursor::new(&bytes)));
        assert!(!is_zip(Cursor::new(b"print()")));
    }
}
