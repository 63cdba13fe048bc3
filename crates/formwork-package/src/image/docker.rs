//! Archives of `docker save`: `manifest.json` refers to a configuration and layers.

use std::io::{Read, Seek};

use serde_json::Value;

use super::error::ImageError;
use super::layer::Layer;
use super::layout::{Form, Image, ImageArchive};
use super::manifest::DOCKER_LAYER;
use super::names;

const MANIFEST: &str = "manifest.json";

pub(super) fn read(source: &mut ImageArchive<'_, impl Read + Seek>) -> Result<Image, ImageError> {
    let manifest = source.json(MANIFEST)?;
    let images = manifest.as_array().ok_or_else(|| ImageError::unfit(MANIFEST, "it is not a list"))?;
    let image = match images.as_slice() {
        [] => return Err(ImageError::unfit(MANIFEST, "it has no image")),
        [image] => image,
        all => return Err(ImageError::Several(all.iter().map(shown).collect())),
    };
    let config = image["Config"].as_str().ok_or_else(|| ImageError::unfit(MANIFEST, "it has no configuration"))?;
    let names = image["Layers"].as_array().ok_or_else(|| ImageError::unfit(MANIFEST, "it has no layers"))?;
    let mut layers = Vec::with_capacity(names.len());
    for name in names {
        let name = name.as_str().ok_or_else(|| ImageError::unfit(MANIFEST, "a layer has no name"))?;
        let extent = source.index.file(name)?;
        layers.push(Layer {
            extent,
            name: name.to_owned(),
            media_type: DOCKER_LAYER.to_owned(),
            is_compressed: source.is_gzip(extent)?,
            digest: None,
            diff_id: String::new(),
        });
    }
    let bytes = source.text(config)?;
    Ok(Image { name: name_of(image), ..Image::new((config, bytes), layers, Form::Docker)? })
}

/// Returns the name of the image, if it has exactly one. Buildah writes the same name twice, for two registries.
pub(super) fn name(source: &mut ImageArchive<'_, impl Read + Seek>) -> Option<(String, Option<String>)> {
    match source.json(MANIFEST).ok()?.as_array()?.as_slice() {
        [image] => name_of(image),
        _ => None,
    }
}

fn name_of(image: &Value) -> Option<(String, Option<String>)> {
    let mut names = image["RepoTags"].as_array()?.iter().map(|name| names::name_and_tag(name.as_str()?));
    let first = names.next()??;
    names.all(|name| name.as_ref() == Some(&first)).then_some(first)
}

fn shown(image: &Value) -> String {
    let name = image["RepoTags"][0].as_str().or_else(|| image["Config"].as_str());
    name.unwrap_or("one without a name").to_owned()
}
