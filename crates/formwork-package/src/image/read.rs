//! Reads an archive in either form.

use std::io::{Read, Seek};

use super::error::ImageError;
use super::layout::{Image, ImageArchive};
use super::tar::Index;
use super::{docker, oci};

impl Image {
    /// Reads an archive that `docker save` wrote, or an OCI layout.
    ///
    /// # Errors
    /// When it contains no image or several, or is invalid.
    pub fn read(archive: &mut (impl Read + Seek)) -> Result<Image, ImageError> {
        let mut source = ImageArchive { index: Index::read(archive)?, archive };
        let has = |name: &str| source.index.has(name);
        if has("index.json") && has("oci-layout") {
            oci::read(&mut source)
        } else if has("manifest.json") {
            docker::read(&mut source)
        } else {
            Err(ImageError::NotAnArchive)
        }
    }
}
