//! The distinct images of a run, each read once however many functions run it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use formwork_disk::open_regular;
use formwork_package::{Image, ImageError};
use tempfile::TempPath;

use super::engine::{self, EngineError};

#[derive(Debug)]
pub(crate) struct LocalImage {
    pub(crate) path: PathBuf,
    /// Deletes an archive that an engine exported for this run.
    kept: Option<TempPath>,
    pub(crate) image: Image,
    pub(crate) bytes: u64,
}

impl LocalImage {
    fn read(path: PathBuf, kept: Option<TempPath>) -> Result<LocalImage, ImageError> {
        let file = match &kept {
            Some(_) => File::open(&path)?,
            None => open_regular(&path).map_err(|error| std::io::Error::other(error.to_string()))?.0,
        };
        let bytes = file.metadata()?.len();
        let image = Image::read(&mut BufReader::new(file))?;
        Ok(LocalImage { path, kept, image, bytes })
    }

    /// `true` if the archive is a file of the project.
    pub(crate) fn is_file(&self) -> bool {
        self.kept.is_none()
    }
}

#[derive(Debug, Default)]
pub(crate) struct LocalImages {
    list: Vec<LocalImage>,
    archives: HashMap<PathBuf, Result<usize, ImageError>>,
    held: HashMap<String, Result<usize, EngineError>>,
}

impl LocalImages {
    /// Returns the number of the image in an archive, by its real path.
    ///
    /// # Errors
    /// When the archive has no image that can be pushed.
    pub(crate) fn archive(&mut self, real: &Path) -> Result<usize, ImageError> {
        if let Some(known) = self.archives.get(real) {
            return known.clone();
        }
        let result = LocalImage::read(real.to_owned(), None).map(|image| self.add(image));
        self.archives.insert(real.to_owned(), result.clone());
        result
    }

    /// Returns the number of an image of a container engine.
    ///
    /// # Errors
    /// When no engine has it, or it cannot be pushed.
    pub(crate) fn held(&mut self, name: &str) -> Result<usize, EngineError> {
        if let Some(known) = self.held.get(name) {
            return known.clone();
        }
        let result = engine::export(name).and_then(|kept| {
            let image = LocalImage::read(kept.to_path_buf(), Some(kept));
            image.map_err(|error| EngineError::Failed(error.to_string())).map(|image| self.add(image))
        });
        self.held.insert(name.to_owned(), result.clone());
        result
    }

    fn add(&mut self, image: LocalImage) -> usize {
        self.list.push(image);
        self.list.len() - 1
    }

    pub(crate) fn list(&self) -> &[LocalImage] {
        &self.list
    }

    pub(crate) fn into_list(self) -> Vec<LocalImage> {
        self.list
    }
}
