//! Opening files without trusting them.

use std::fs::{File, FileType, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

use formwork_base::ReadError;

/// Opens a regular file for reading and returns it with its size. Neither a named pipe nor a terminal
/// makes the call wait. A link in the last part of the path is rejected, so that a path without links,
/// which was found to be inside a directory, cannot be replaced by one that leaves it.
///
/// # Errors
/// When there is no such file, or it is not a regular file.
pub fn open_regular(real: &Path) -> Result<(File, u64), ReadError> {
    open_regular_file(real).map(|(file, metadata)| (file, metadata.len()))
}

/// The same, with all its metadata.
pub(crate) fn open_regular_file(real: &Path) -> Result<(File, Metadata), ReadError> {
    regular(without_blocking(real).map_err(|error| reason(&error))?)
}

fn regular(file: File) -> Result<(File, Metadata), ReadError> {
    // The open file is asked, not the path: what is there may have changed.
    let metadata = file.metadata().map_err(|error| reason(&error))?;
    if let Some(error) = not_regular(metadata.file_type()) {
        return Err(error);
    }
    Ok((file, metadata))
}

#[cfg(unix)]
fn without_blocking(path: &Path) -> io::Result<File> {
    opened(path, WITHOUT_BLOCKING)
}

#[cfg(unix)]
const WITHOUT_BLOCKING: rustix::fs::OFlags =
    rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY).union(rustix::fs::OFlags::NOFOLLOW);

#[cfg(not(unix))]
fn without_blocking(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens whatever there is for reading.
///
/// # Errors
/// When nothing is there, or it cannot be read.
pub(crate) fn open_any(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    return opened(path, rustix::fs::OFlags::empty());
    #[cfg(not(unix))]
    File::open(path)
}

/// Makes a file and opens it for writing.
///
/// # Errors
/// When it cannot be made, or there is one.
pub fn create_new(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    return {
        use rustix::fs::{Mode, OFlags};
        opened_as(path, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL, Mode::from_raw_mode(0o666))
    };
    #[cfg(not(unix))]
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)
}

/// Opens a regular file that this program wrote, as [`open_regular_file`] does. Where the system allows it, the file
/// does not count as used: to store the time takes longer than to read a small file.
pub(crate) fn open_own(path: &Path) -> Result<(File, Metadata), ReadError> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Ok(file) = opened(path, WITHOUT_BLOCKING | rustix::fs::OFlags::NOATIME) {
        return regular(file);
    }
    open_regular_file(path)
}

/// One system call, where musl makes a second one for a flag that kernels of twenty years ago did not know.
#[cfg(unix)]
fn opened(path: &Path, flags: rustix::fs::OFlags) -> io::Result<File> {
    opened_as(path, flags | rustix::fs::OFlags::RDONLY, rustix::fs::Mode::empty())
}

#[cfg(unix)]
fn opened_as(path: &Path, flags: rustix::fs::OFlags, mode: rustix::fs::Mode) -> io::Result<File> {
    use rustix::fs::{OFlags, open};
    use rustix::io::retry_on_intr;
    Ok(File::from(retry_on_intr(|| open(path, flags | OFlags::CLOEXEC, mode))?))
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

/// The words of the operating system, where Formwork has none of its own.
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
