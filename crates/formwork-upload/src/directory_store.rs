//! Stores objects in a local directory in place of a bucket (reference/packaging.md#local-target).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use formwork_disk::{refuse_links, refuse_links_to, replace};

use crate::Payload;
use crate::uploader::{Presence, UploadError, Uploader};

/// Stores each object as the file `FOLDER/KEY`.
#[derive(Clone, Debug)]
pub struct DirectoryStore {
    directory: PathBuf,
}

impl DirectoryStore {
    /// Creates a store in a directory, which is created with the first object.
    pub fn new(directory: &Path) -> DirectoryStore {
        DirectoryStore { directory: directory.to_owned() }
    }
}

impl Uploader for DirectoryStore {
    fn presence(&self, key: &str) -> Result<Presence, UploadError> {
        // The store contains regular files only, so a link does not count.
        let is_there = self.directory.join(key).symlink_metadata().is_ok_and(|found| found.is_file());
        Ok(if is_there { Presence::There } else { Presence::Missing })
    }

    fn put(&self, key: &str, content: &mut Payload) -> Result<(), UploadError> {
        let path = self.directory.join(key);
        let unlinked = refuse_links_to(&self.directory, None).and_then(|()| refuse_links(&self.directory, &path));
        unlinked.and_then(|()| store(&path, content)).map_err(|error| {
            UploadError::new(format!("{} cannot be written: {error}", path.display())).caused_by(error)
        })
    }
}

fn store(path: &Path, content: &mut Payload) -> io::Result<()> {
    let directory = path.parent().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    fs::create_dir_all(directory)?;
    replace(path, |file| {
        io::copy(content, file)?;
        readable_by_all(file)
    })
}

/// Makes an object readable by all users, whatever the umask of the process.
#[cfg(unix)]
fn readable_by_all(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_: &fs::File) -> io::Result<()> {
    Ok(())
}
