//! Writing files whole (reference/command-line.md#output).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Lets `write` fill a temporary file beside `path` that then takes its name, so that `path` is old or new
/// and never partial. The temporary file has the mode of the file at `path` from its first byte, and is
/// removed when anything fails. A link is replaced, not followed.
///
/// # Errors
/// When the directory is missing or cannot be written, or when `write` fails.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = temporary_beside(path)?;
    let file = temporary.as_file_mut();
    write(file)?;
    file.flush()?;
    temporary.persist(path).map(drop).map_err(|error| error.error)
}

/// Checks that [`replace`] can write beside `path`, and leaves everything as it is.
///
/// # Errors
/// Those of [`replace`].
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    temporary_beside(path)?.close()
}

/// An empty file in the directory of `path`, with the mode of the file at `path`.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a file name");
    path.file_name().ok_or_else(invalid)?;
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let existing = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.permissions());
    // Errors of `tempfile_in` would name the temporary file, which means nothing to anyone.
    let temporary = tempfile::Builder::new()
        .prefix(".formwork-")
        .suffix(".tmp")
        .make_in(directory, |temporary| new_file(existing.as_ref()).open(temporary))?;
    if let Some(permissions) = existing {
        // What the mask of the process took away comes back before anything is written.
        temporary.as_file().set_permissions(permissions)?;
    }
    Ok(temporary)
}

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
