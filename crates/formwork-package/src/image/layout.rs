//! The image in an archive.

use std::io::{Read, Seek};

use serde_json::Value;

use super::error::ImageError;
use super::layer::Layer;
use super::tar::{Extent, Index, content};
use formwork_base::hexadecimal;

use crate::asset_key::hash;

/// Maximum size of a manifest or a configuration, which are held in memory: the limit of registries.
const TEXT: u64 = 4 << 20;
const LAYERS: usize = 1000;

/// An image in an archive.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// The SHA-256 of the configuration, which refers to everything in the image.
    pub id: String,
    /// The configuration of the image.
    pub config: Vec<u8>,
    /// The layers of the image, the lowest first.
    pub layers: Vec<Layer>,
    /// The name and tag in the archive, if it has exactly one.
    pub name: Option<(String, Option<String>)>,
    pub(super) form: Form,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Form {
    /// `manifest.json` of `docker save`: the manifest is generated.
    Docker,
    /// The manifest of the layout.
    Oci { media_type: String, bytes: Vec<u8>, value: Value },
}

impl Image {
    /// Returns `sha256:` and the id.
    pub fn config_digest(&self) -> String {
        format!("sha256:{}", self.id)
    }

    /// Creates an image from a configuration and its layers.
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

pub(super) struct ImageArchive<'a, A> {
    pub(super) index: Index,
    pub(super) archive: &'a mut A,
}

impl<A: Read + Seek> ImageArchive<'_, A> {
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

    pub(super) fn is_gzip(&mut self, extent: Extent) -> Result<bool, ImageError> {
        Ok(extent.size > 2 && content(self.archive, Extent { size: 2, ..extent })? == [0x1f, 0x8b])
    }
}
