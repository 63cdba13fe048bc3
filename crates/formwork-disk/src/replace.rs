//! Writes whole files (reference/command-line.md#output).

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::SystemTime;

use tempfile::NamedTempFile;

use crate::open::open_regular_file;
use crate::temporaries::Temporary;

/// Maximum size of a file that is compared with its replacement, in bytes: CloudFormation does not accept a longer
/// template.
const MOST_COMPARED: u64 = 1 << 20;

/// Calls `write` with a temporary file beside `path` that is then renamed to it, so that `path` is old or new and never
/// partial. The temporary file has the mode of the file at `path` from its first byte, its owner and group as far as
/// the process may set them, and is removed when anything fails. A link is replaced, not followed.
///
/// # Errors
/// When the directory is missing or cannot be written, or when `write` fails.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let existing = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    let mut temporary = temporary_beside(path, existing.as_ref())?;
    write(temporary.as_file_mut())?;
    persist(temporary, path)
}

/// Like [`replace`], but a file of at most 1 MiB that already has these bytes is kept, and its modification time is
/// updated. `existing` is the metadata of `path`, links not followed.
///
/// # Errors
/// The errors of [`replace`].
pub fn replace_unless_same(
    path: &Path,
    existing: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut replacement = Replacement::new(path, existing)?;
    write(&mut replacement)?;
    replacement.finish()
}

/// Replaces the regular file at `path`, which had the bytes `before` when it was read, with `after`. A file that has
/// other bytes by then is left alone: somebody saved it meanwhile. A file that has the bytes `after` already is not
/// written.
///
/// # Errors
/// The errors of [`replace`], and when the file has other bytes.
pub fn replace_if_unchanged(path: &Path, before: &[u8], after: &[u8]) -> io::Result<()> {
    if with_bytes(path, after).is_some() {
        return Ok(());
    }
    let existing = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    let mut temporary = temporary_beside(path, existing.as_ref())?;
    temporary.as_file_mut().write_all(after)?;
    // As late as possible: only the rename follows.
    match with_bytes(path, before) {
        Some(_) => persist(temporary, path),
        None => Err(io::Error::other("it has changed since it was read")),
    }
}

/// A temporary file, which is removed on a signal.
struct TemporaryFile {
    file: NamedTempFile,
    /// Dropped after the file.
    _held: Temporary,
}

impl TemporaryFile {
    fn as_file_mut(&mut self) -> &mut File {
        self.file.as_file_mut()
    }
}

fn persist(mut temporary: TemporaryFile, path: &Path) -> io::Result<()> {
    temporary.as_file_mut().flush()?;
    let TemporaryFile { file, _held } = temporary;
    file.persist(path).map(drop).map_err(|error| error.error)
}

struct Replacement<'p> {
    path: &'p Path,
    existing: Option<&'p Metadata>,
    to: To,
}

enum To {
    /// At most as many bytes as the existing file has: they may be the same.
    Memory(Vec<u8>),
    Temporary(TemporaryFile),
}

impl<'p> Replacement<'p> {
    fn new(path: &'p Path, existing: Option<&'p Metadata>) -> io::Result<Replacement<'p>> {
        let existing = existing.filter(|existing| existing.is_file());
        let to = match existing {
            Some(existing) if existing.len() <= MOST_COMPARED => {
                To::Memory(Vec::with_capacity(usize::try_from(existing.len()).unwrap_or_default()))
            }
            _ => To::Temporary(temporary_beside(path, existing)?),
        };
        Ok(Replacement { path, existing, to })
    }

    fn finish(self) -> io::Result<()> {
        match self.to {
            To::Memory(bytes) if keep(self.path, &bytes).is_some() => Ok(()),
            To::Memory(bytes) => persist(moved_to_disk(self.path, self.existing, &bytes)?, self.path),
            To::Temporary(temporary) => persist(temporary, self.path),
        }
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Memory(known) if (known.len() + bytes.len()) as u64 <= self.existing.map_or(0, Metadata::len) => {
                known.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            To::Memory(known) => {
                self.to = To::Temporary(moved_to_disk(self.path, self.existing, known)?);
                self.write(bytes)
            }
            To::Temporary(temporary) => temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Updates the modification time of the file at `path` if it has these bytes. `None` if it has others, or cannot be
/// read or changed.
fn keep(path: &Path, bytes: &[u8]) -> Option<()> {
    with_bytes(path, bytes)?.set_modified(SystemTime::now()).ok()
}

/// Opens the regular file at `path`, if it has these bytes and can be read.
fn with_bytes(path: &Path, bytes: &[u8]) -> Option<File> {
    let (mut file, _) = open_regular_file(path).ok().filter(|(_, now)| now.len() == bytes.len() as u64)?;
    let mut known = vec![0; bytes.len()];
    file.read_exact(&mut known).ok()?;
    (known == bytes).then_some(file)
}

fn moved_to_disk(path: &Path, existing: Option<&Metadata>, bytes: &[u8]) -> io::Result<TemporaryFile> {
    let mut temporary = temporary_beside(path, existing)?;
    temporary.as_file_mut().write_all(bytes)?;
    Ok(temporary)
}

/// Checks that [`replace`] can write beside `path`, without changing anything.
///
/// # Errors
/// The errors of [`replace`].
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    let existing = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    temporary_beside(path, existing.as_ref())?.file.close()
}

/// Creates an empty file in the directory of `path`, with the mode of the file at `path` and, if possible, its owner.
fn temporary_beside(path: &Path, existing: Option<&Metadata>) -> io::Result<TemporaryFile> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a file name");
    path.file_name().ok_or_else(invalid)?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = existing.map(Metadata::permissions);
    // Errors of `tempfile_in` contain the temporary path, which is of no use to anyone.
    let held = Temporary::new();
    let file = tempfile::Builder::new()
        .prefix(".formwork-")
        .suffix(".tmp")
        .make_in(directory, |temporary| new_file(permissions.as_ref()).open(temporary))?;
    if let Some(existing) = existing {
        keep_owner(file.as_file(), existing);
    }
    if let Some(permissions) = permissions {
        // The bits that the umask removed are restored before anything is written.
        file.as_file().set_permissions(permissions)?;
    }
    Ok(TemporaryFile { file, _held: held })
}

/// Sets the owner and the group of a file to those of the one that it replaces. Most users may only set a group that
/// they are in; otherwise the file belongs to the user of the process, as with any other program.
#[cfg(unix)]
fn keep_owner(file: &File, existing: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(own) = file.metadata() else { return };
    let (user, group) = (existing.uid(), existing.gid());
    if (own.uid(), own.gid()) != (user, group) && fchown(file, Some(user), Some(group)).is_err() {
        let _ = fchown(file, None, Some(group));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

#[cfg(unix)]
fn new_file(existing: Option<&fs::Permissions>) -> OpenOptions {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if let Some(permissions) = existing {
        options.mode(permissions.mode() & 0o777);
    }
    options
}

#[cfg(not(unix))]
fn new_file(_: Option<&fs::Permissions>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out.yaml");
        replace(&path, |file| file.write_all(b"old")).expect("written");
        let failed = replace(&path, |file| file.write_all(b"new").and_then(|()| Err(io::Error::other("full"))));
        assert_eq!(failed.map_err(|error| error.to_string()), Err("full".to_owned()));
        check_replaceable(&path).expect("writable");
        assert_eq!(fs::read(&path).expect("the file"), b"old");
        assert_eq!(names(directory.path()), ["out.yaml"]);
    }

    #[test]
    fn a_file_that_has_changed_is_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("t.yaml");
        fs::write(&path, "read").expect("written");
        replace_if_unchanged(&path, b"read", b"new").expect("written");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        replace_if_unchanged(&path, b"read", b"new").expect("it is done already");
        for now in ["read and more", "read", ""] {
            fs::write(&path, now).expect("written");
            let error = replace_if_unchanged(&path, b"new", b"newer").expect_err("it has changed");
            assert_eq!(error.to_string(), "it has changed since it was read");
            assert_eq!(fs::read(&path).expect("the file"), now.as_bytes());
        }
        fs::remove_file(&path).expect("removed");
        assert!(replace_if_unchanged(&path, b"", b"newer").is_err(), "it is gone");
        assert!(names(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_owner_and_its_mode() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("t.yaml");
        fs::write(&path, "old").expect("written");
        // Only root may change owners.
        let is_root = chown(&path, Some(65_534), Some(65_533)).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        let seen =
            || fs::metadata(&path).map(|it| (it.uid(), it.gid(), it.permissions().mode() & 0o7777)).expect("a file");
        let before = seen();
        assert!(!is_root || before == (65_534, 65_533, 0o640), "{before:?}");
        replace(&path, |file| file.write_all(b"new")).expect("written");
        assert_eq!(seen(), before);
        replace_if_unchanged(&path, b"new", b"newer").expect("written");
        assert_eq!((seen(), fs::read(&path).expect("the file")), (before, b"newer".to_vec()));
    }

    #[test]
    fn errors_do_not_name_the_temporary_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("missing/out.yaml");
        let error = replace(&path, |_| Ok(())).expect_err("there is no directory");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".tmp"), "{error}");
        assert!(check_replaceable(&path).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_with_the_same_bytes_stays_and_becomes_new() {
        use std::os::unix::fs::MetadataExt;
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out.yaml");
        let seen = || fs::symlink_metadata(&path).map(|found| (found.ino(), found.modified())).expect("a file");
        let old = SystemTime::UNIX_EPOCH;
        let long = vec![b'x'; MOST_COMPARED as usize];
        for (before, after, is_kept) in [
            (&b"same"[..], &b"same"[..], true),
            (b"", b"", true),
            (b"same", b"sane", false),
            (b"same", b"same and more", false),
            (b"same and more", b"same", false),
            (&long, &long, true),
            (&[&long[..], b"x"].concat(), &[&long[..], b"x"].concat(), false),
        ] {
            let _ = fs::remove_file(&path);
            fs::write(&path, before).expect("written");
            File::open(&path).and_then(|file| file.set_modified(old)).expect("marked");
            // Another name keeps the number of the file from being used again.
            let other = directory.path().join("other");
            let _ = fs::remove_file(&other);
            fs::hard_link(&path, &other).expect("a link");
            let (number, _) = seen();
            // In two parts.
            let (first, rest) = after.split_at(after.len() / 2);
            let write = |file: &mut dyn Write| file.write_all(first).and_then(|()| file.write_all(rest));
            replace_unless_same(&path, fs::symlink_metadata(&path).ok().as_ref(), write).expect("written");
            let (now, modified) = seen();
            let what = format!("{} and {} bytes", before.len(), after.len());
            assert_eq!(now == number, is_kept, "{what}");
            assert!(modified.expect("a time") > old, "{what}");
            assert_eq!(fs::read(&path).expect("the file"), after, "{what}");
            assert_eq!(names(directory.path()).len(), 2, "{what}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_with_the_same_bytes_is_replaced() {
        let directory = tempfile::tempdir().expect("a directory");
        let (path, other) = (directory.path().join("link"), directory.path().join("other"));
        fs::write(&other, "same").expect("written");
        std::os::unix::fs::symlink(&other, &path).expect("a link");
        let existing = fs::symlink_metadata(&path).ok();
        replace_unless_same(&path, existing.as_ref(), |file| file.write_all(b"same")).expect("written");
        assert!(fs::symlink_metadata(&path).expect("a file").is_file());
    }

    #[cfg(unix)]
    #[test]
    fn new_files_have_the_mode_of_any_other_and_links_are_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let mode = |path: &Path| fs::symlink_metadata(path).expect("a file").permissions().mode();
        let (other, path, outside) = ["other", "path", "outside"].map(|name| directory.path().join(name)).into();
        fs::write(&other, "").expect("written");
        symlink(&outside, &path).expect("a link");
        replace(&path, |file| file.write_all(b"new")).expect("written");
        assert_eq!(mode(&path), mode(&other));
        assert!(!outside.exists());
    }
}
