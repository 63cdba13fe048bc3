//! The image in an archive.

use std::io::{Read, Seek};

use serde_json::Value;

use super::error::ImageError;
use super::layer::Layer;
use super::tar::{Extent, Index, content};
use formwork_base::hexadecimal;

use crate::asset_key::hash;

/// Most bytes of a manifest or a configuration, which are held in memory: what registries take.
const TEXT: u64 = 4 << 20;
/// Most layers of an image.
const LAYERS: usize = 1000;

/// An image, as an archive has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// The SHA-256 of its configuration, which names everything in it.
    pub id: String,
    /// The configuration of the image.
    pub config: Vec<u8>,
    /// The layers of the image, the lowest first.
    pub layers: Vec<Layer>,
    /// The one name, with its tag, that the archive has for it.
    pub name: Option<(String, Option<String>)>,
    pub(super) form: Form,
}

/// How an archive describes its image.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Form {
    /// `manifest.json` of `docker save`: the manifest is made.
    Docker,
    /// A manifest of its own.
    Oci { media_type: String, bytes: Vec<u8>, value: Value },
}

impl Image {
    /// `sha256:` and the id.
    pub fn config_digest(&self) -> String {
        format!("sha256:{}", self.id)
    }

    /// The image with a configuration and the number of layers in it.
    pub(super) fn new(
        (name, config): (&str, Vec<u8>),
        mut layers: Vec<Layer>,
        form: Form,
    ) -> Result<Image, ImageError> {
        let unfit = |why: &str| ImageError::unfit(name, why);
        let value: Value = serde_json::from_slice(&config).map_err(|_| ImageError::not_json(name, &config))?;
        let ids = value["rootfs"]["diff_ids"].as_array();
        let ids = ids.ok_or_else(|| unfit("it is not the configuration of an image: it has no rootfs.diff_ids"))?;
        if ids.len() != layers.len() {
            return Err(unfit(&format!("it has {} layers, but the manifest has {}", ids.len(), layers.len())));
        }
        if ids.len() > LAYERS {
            return Err(ImageError::TooMany(format!("{LAYERS} layers")));
        }
        for (layer, id) in layers.iter_mut().zip(ids) {
            id.as_str().unwrap_or_default().clone_into(&mut layer.diff_id);
        }
        Ok(Image { id: hexadecimal(&hash(&config)), config, layers, name: None, form })
    }
}

/// An archive that is read.
pub(super) struct Source<'a, A> {
    pub(super) index: Index,
    pub(super) archive: &'a mut A,
}

impl<A: Read + Seek> Source<'_, A> {
    /// A file that is held in memory.
    pub(super) fn text(&mut self, name: &str) -> Result<Vec<u8>, ImageError> {
        let extent = self.index.file(name)?;
        if extent.size > TEXT {
            return Err(ImageError::TooMany(format!("{TEXT} bytes in `{name}`")));
        }
        content(self.archive, extent)
    }

    pub(super) fn json(&mut self, name: &str) -> Result<Value, ImageError> {
        let bytes = self.text(name)?;
        serde_json::from_slice(&bytes).map_err(|_| ImageError::not_json(name, &bytes))
    }

    /// Whether a file begins as gzip does.
    pub(super) fn is_gzip(&mut self, extent: Extent) -> Result<bool, ImageError> {
        Ok(extent.size > 2 && content(self.archive, Extent { size: 2, ..extent })? == [0x1f, 0x8b])
    }
}
