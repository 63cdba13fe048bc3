//! Sets the modes of the files of an artifact independently of the umask (reference/build.md#same).

use std::io;
use std::path::Path;

/// Sets the modes of a directory and of everything below it to those in a zip: readable for everybody, and executable
/// for everybody if executable for anybody. Links are not changed.
///
/// # Errors
/// When one cannot be read or changed.
#[cfg(unix)]
pub(crate) fn settle(path: &Path) -> io::Result<()> {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    let mut left = vec![path.to_owned()];
    while let Some(path) = left.pop() {
        let found = path.symlink_metadata()?;
        if found.is_symlink() {
            continue;
        }
        let mode = found.permissions().mode() & 0o7777;
        let wanted = if found.is_dir() || mode & 0o111 != 0 { 0o755 } else { 0o644 };
        if mode != wanted {
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted))?;
        }
        if found.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn settle(_: &Path) -> io::Result<()> {
    Ok(())
}
