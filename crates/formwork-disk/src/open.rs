//! Opens files without trusting them.

use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use formwork_base::ReadError;

/// Opens a regular file for reading and returns it with its size. Neither a named pipe nor a terminal makes the call
/// wait. A link in the last part of the path is rejected, so that a path without links, which was found to be inside a
/// directory, cannot be replaced by one that leaves it.
///
/// # Errors
/// When the file does not exist, cannot be opened, or is not a regular file.
pub fn open_regular(real: &Path) -> Result<(File, u64), ReadError> {
    open_regular_file(real).map(|(file, metadata)| (file, metadata.len()))
}

pub(crate) fn open_regular_file(real: &Path) -> Result<(File, Metadata), ReadError> {
    let file = without_blocking(real).map_err(|error| reason(&error))?;
    // The metadata is that of the open file, not of the path, which may have changed.
    let metadata = file.metadata().map_err(|error| reason(&error))?;
    if let Some(error) = not_regular(metadata.file_type()) {
        return Err(error);
    }
    Ok((file, metadata))
}

#[cfg(unix)]
fn without_blocking(path: &Path) -> io::Result<File> {
    use std::fs::OpenOptions;
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn without_blocking(path: &Path) -> io::Result<File> {
    File::open(path)
}

fn not_regular(kind: FileType) -> Option<ReadError> {
    if kind.is_file() {
        return None;
    }
    Some(if kind.is_dir() { ReadError::IsDirectory } else { ReadError::NotRegular(special(kind)) })
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "a special file"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "a special file"
}

/// Converts an error of the operating system; its message is kept if Formwork has none of its own.
pub(crate) fn reason(error: &io::Error) -> ReadError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::NotFound,
        ErrorKind::PermissionDenied => ReadError::Denied,
        ErrorKind::IsADirectory => ReadError::IsDirectory,
        // A socket cannot be opened at all.
        _ if is_socket(error) => ReadError::NotRegular("a socket"),
        _ => ReadError::Other(error.to_string()),
    }
}

#[cfg(unix)]
fn is_socket(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::NXIO)
}

#[cfg(not(unix))]
fn is_socket(_: &std::io::Error) -> bool {
    false
}
