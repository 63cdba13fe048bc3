//! Moves artifacts to their paths, each by one rename (reference/build.md#whole).

use std::fs;
use std::io;
use std::path::Path;

use formwork_disk::refuse_links;

/// Moves a finished directory to the path of an artifact in the build directory `base`, not through a link. The
/// previous one is moved to `aside`, which is removed later.
pub(crate) fn replace(base: &Path, finished: &Path, product: &Path, aside: &Path) -> io::Result<()> {
    refuse_links(base, product)?;
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
        // The previous artifact is moved back.
        let _ = fs::rename(aside, product);
        return Err(error);
    }
    Ok(())
}
