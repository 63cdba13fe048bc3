//! Reading of files at an address, and of entries of zip archives, which are read in memory with limits
//! (reference/modules/sources.md#archives).

use std::io::{Cursor, Read};

use formwork_base::{FileBytes, ReadError};
use rustc_hash::FxHashMap;
use zip::ZipArchive;

use super::Linker;
use super::address::{Address, has_drive};
use super::unread::Unread;

const UNPACKED_BYTES: u64 = 200 << 20;
const ENTRIES: usize = 10_000;
/// Most bytes that one packed byte may expand to, past the first block.
const RATIO: u64 = 100;
/// Bytes that may be unpacked at any ratio.
const SMALL: u64 = 64 << 10;
/// The bits of a Unix mode with the type of an entry, and their value for a link.
const MODE_KIND: u32 = 0o170_000;
const MODE_LINK: u32 = 0o120_000;

#[derive(Default)]
pub(super) struct Archives {
    open: FxHashMap<Address, Result<FileBytes, Unread>>,
    unpacked: u64,
}

impl Linker<'_> {
    pub(super) fn read_entry(&mut self, address: &Address, name: &str, limit: u64) -> Result<FileBytes, Unread> {
        // A plain directory with such a name is not an archive.
        let archive = self.open_archive(address)?;
        let missing = || Unread::Archive(format!("entry {name} does not exist in the archive"));
        let bytes = entry(&archive, name, limit).map_err(|words| words.unwrap_or_else(missing))?;
        self.loaded.archives.unpacked += bytes.len() as u64;
        if self.loaded.archives.unpacked > UNPACKED_BYTES {
            return Err(Unread::Archive(format!(
                "the unpacked archives exceed {UNPACKED_BYTES} bytes: the limit is exceeded"
            )));
        }
        Ok(bytes.into())
    }

    pub(super) fn open_archive(&mut self, address: &Address) -> Result<FileBytes, Unread> {
        if let Some(known) = self.loaded.archives.open.get(address) {
            return known.clone();
        }
        let opened = self
            .read_bytes(address, self.limits.archive_bytes)
            .and_then(|bytes| check_names(&bytes).map_err(Unread::Archive).map(|()| bytes));
        self.loaded.archives.open.insert(address.clone(), opened.clone());
        opened
    }

    pub(super) fn read_bytes(&mut self, address: &Address, limit: u64) -> Result<formwork_base::FileBytes, Unread> {
        let bytes = match address {
            Address::Local(path) => self.loaded.reading.read(path).map_err(Unread::Host)?,
            Address::Remote(address) => self.loaded.reading.read_remote(address).map_err(Unread::Host)?,
            Address::Entry { archive, inner } => return self.read_entry(archive, inner.as_str(), limit),
        };
        if bytes.len() as u64 > limit { Err(Unread::Host(ReadError::TooLarge { limit })) } else { Ok(bytes) }
    }
}

fn open(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, String> {
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("the file is not a readable zip archive: {error}"))
}

/// Rejects archives with names outside of them, links, encryption, or too many entries.
fn check_names(bytes: &[u8]) -> Result<(), String> {
    let mut archive = open(bytes)?;
    if archive.len() > ENTRIES {
        return Err(format!("the archive has more than {ENTRIES} entries: the limit is exceeded"));
    }
    if archive.has_overlapping_files().unwrap_or(false) {
        return Err("entries of the archive overlap".to_owned());
    }
    // The library keeps the last entry of a name.
    if directory_entries(bytes, archive.central_directory_start()) != archive.len() {
        return Err("the archive contains duplicate entry names".to_owned());
    }
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at).map_err(|error| format!("an entry of the archive is damaged: {error}"))?;
        let Ok(name) = entry.name() else {
            return Err("the archive contains an entry whose name is not text".to_owned());
        };
        let name = name.as_ref();
        let shown = formwork_base::display::shown(name);
        let is_absolute = name.starts_with('/') || has_drive(name);
        if is_absolute || name.split('/').any(|part| part == "..") || name.contains(['\0', '\\']) {
            return Err(format!("the archive contains an entry with a path outside the archive: {shown}"));
        }
        if entry.encrypted() {
            return Err(format!("the archive contains an encrypted entry: {shown}"));
        }
        if entry.unix_mode().is_some_and(|mode| mode & MODE_KIND == MODE_LINK) {
            return Err(format!("the archive contains a symbolic link: {shown}"));
        }
    }
    Ok(())
}

/// Returns the number of entries of the central directory that begins at `start`. The library found its start: a
/// comment may have any bytes, also those that mark its end.
fn directory_entries(bytes: &[u8], start: u64) -> usize {
    const MARK: &[u8] = b"PK\x01\x02";
    const HEADER: usize = 46;
    let Some(mut rest) = usize::try_from(start).ok().and_then(|start| bytes.get(start..)) else { return 0 };
    let mut count = 0;
    while let Some((header, behind)) = rest.split_at_checked(HEADER).filter(|(header, _)| header.starts_with(MARK)) {
        let length = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        count += 1;
        rest = behind.get(length(28) + length(30) + length(32)..).unwrap_or_default();
    }
    count
}

/// Returns the bytes of an entry by its exact name. `Err(None)` when it does not exist.
fn entry(bytes: &[u8], name: &str, limit: u64) -> Result<Vec<u8>, Option<Unread>> {
    let words = |words: String| Some(Unread::Archive(words));
    let mut archive = open(bytes).map_err(words)?;
    let index = archive.index_for_name(name).ok_or(None)?;
    let entry = archive.by_index(index).map_err(|error| words(format!("the entry {name} cannot be read: {error}")))?;
    let packed = entry.compressed_size();
    let most = limit.min(packed.saturating_mul(RATIO).max(SMALL));
    let mut unpacked = Vec::new();
    entry
        .take(most + 1)
        .read_to_end(&mut unpacked)
        .map_err(|error| words(format!("the entry {name} is damaged: {error}")))?;
    if unpacked.len() as u64 <= most {
        return Ok(unpacked);
    }
    if most < limit {
        return Err(words(format!(
            "the entry {name} unpacks to more than {RATIO} times its size: the limit is exceeded"
        )));
    }
    Err(Some(Unread::Host(ReadError::TooLarge { limit })))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(content).expect("its content");
        }
        writer.finish().expect("an archive").into_inner()
    }

    fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for at in 0..bytes.len() - old.len() {
            if bytes[at..].starts_with(old) {
                bytes[at..at + old.len()].copy_from_slice(new);
            }
        }
        bytes
    }

    fn refused(bytes: &[u8], words: &str) {
        let found = check_names(bytes).expect_err("it is refused");
        assert!(found.contains(words), "{found}");
    }

    #[test]
    fn entries_are_found_by_their_exact_names() {
        let archive = packed(&[("net/vpc.yaml", b"Resources: {}"), ("a.txt", b"x")]);
        assert_eq!(check_names(&archive), Ok(()));
        assert_eq!(entry(&archive, "net/vpc.yaml", 100), Ok(b"Resources: {}".to_vec()));
        assert_eq!(entry(&archive, "vpc.yaml", 100), Err(None));
        assert_eq!(entry(&archive, "net/vpc.yaml", 5), Err(Some(Unread::Host(ReadError::TooLarge { limit: 5 }))));
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let archive = packed(&[("aa/b.yaml", b"x")]);
        for name in ["../b.yaml", "/a/b.yaml", "C:/b.yaml", "aa\\b.yaml", "aa\0b.yaml"] {
            refused(&replaced(&archive, b"aa/b.yaml", name.as_bytes()), "outside the archive");
        }
    }

    #[test]
    fn a_comment_may_hold_the_mark_of_the_directorys_end() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a.yaml", "b.yaml"] {
            writer.start_file(name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(b"x").expect("its content");
        }
        let comment = b"see PK\x05\x06 and PK\x01\x02, then a long rest of the comment".to_vec();
        writer.set_raw_comment(comment.into_boxed_slice()).expect("a comment");
        let archive = writer.finish().expect("an archive").into_inner();
        assert_eq!(check_names(&archive), Ok(()));
        assert_eq!(entry(&archive, "b.yaml", 100), Ok(b"x".to_vec()));
        refused(&replaced(&archive, b"b.yaml", b"a.yaml"), "duplicate entry names");
    }

    #[test]
    fn odd_entries_are_refused() {
        let twice = packed(&[("a.yaml", b"x"), ("b.yaml", b"y")]);
        refused(&replaced(&twice, b"b.yaml", b"a.yaml"), "duplicate entry names");
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a.yaml", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
        refused(&writer.finish().expect("an archive").into_inner(), "symbolic link");
        refused(b"no archive at all", "not a readable zip archive");
    }

    #[test]
    fn what_unpacks_to_much_more_is_refused() {
        let bomb = packed(&[("a.yaml", &vec![b' '; 8 << 20])]);
        let found = entry(&bomb, "a.yaml", 1 << 30).expect_err("it is refused");
        assert!(matches!(found, Some(Unread::Archive(words)) if words.contains("more than 100 times")));
    }
}
