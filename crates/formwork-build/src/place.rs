//! Moves artifacts to their paths, each by one rename (reference/build.md#whole).

use std::fs;
use std::io;
use std::path::Path;

/// Moves a finished directory to the path of an artifact. The previous one is moved to `aside`, which is removed later.
pub(crate) fn put(finished: &Path, product: &Path, aside: &Path) -> io::Result<()> {
    if let Some(parent) = product.parent() {
        fs::create_dir_all(parent)?;
    }
    if product.symlink_metadata().is_ok() {
        if let Some(parent) = aside.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::rename(product, aside)?;
    }
    if let Err(error) = fs::rename(finished, product) {
        // The previous one is moved back.
        let _ = fs::rename(aside, product);
        return Err(error);
    }
    Ok(())
}

/// Removes a file or directory, if it exists.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let Ok(metadata) = path.symlink_metadata() else { return Ok(()) };
    if metadata.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}
