//! Writing the artifact: to standard output, or whole to a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Lets `write` write to standard output, or to a temporary file beside `path` that then takes its
/// name, so that `path` is old or new and never partial.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let Some(path) = path else {
        let mut stdout = io::stdout().lock();
        return match write(&mut stdout).and_then(|()| stdout.flush()) {
            // The reader has had enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(|error| format!("standard output cannot be written: {error}")),
        };
    };
    write_file(path, write).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A device or pipe is written as it is.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        return write(&mut File::create(path)?);
    }
    let (temporary, file) = create_beside(path)?;
    let result = (|| {
        let mut file = file;
        write(&mut file)?;
        file.flush()?;
        if let Ok(metadata) = fs::metadata(path) {
            fs::set_permissions(&temporary, metadata.permissions())?;
        }
        fs::rename(&temporary, path)
    })();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// A new file in the folder of `path`.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it is no file name"))?;
    for attempt in 0..100 {
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            result => return result.map(|file| (temporary, file)),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "no name is free for a temporary file"))
}
