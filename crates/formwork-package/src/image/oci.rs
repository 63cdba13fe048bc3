//! OCI layouts: `index.json` leads to a manifest, and that to blobs by their digests.

use std::io::{Read, Seek};

use serde_json::Value;

use super::error::ImageError;
use super::layer::Layer;
use super::layout::{Form, Image, ImageArchive};
use super::manifest::{DOCKER_CONFIG, DOCKER_LAYER, DOCKER_MANIFEST};
use super::{docker, names};
use formwork_base::hexadecimal;

use crate::asset_key::hash;

const INDEX: &str = "index.json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEXES: [&str; 2] =
    ["application/vnd.oci.image.index.v1+json", "application/vnd.docker.distribution.manifest.list.v2+json"];
const CONFIGS: [&str; 2] = ["application/vnd.oci.image.config.v1+json", DOCKER_CONFIG];
/// Media types of layers that are not compressed, and those after compression.
const PLAIN: [(&str, &str); 2] = [
    ("application/vnd.oci.image.layer.v1.tar", "application/vnd.oci.image.layer.v1.tar+gzip"),
    ("application/vnd.docker.image.rootfs.diff.tar", DOCKER_LAYER),
];
/// Maximum depth of nested indexes.
const DEPTH: usize = 3;
/// Maximum number of manifests in indexes.
const MANIFESTS: usize = 200;

pub(super) fn read(source: &mut ImageArchive<'_, impl Read + Seek>) -> Result<Image, ImageError> {
    let index = source.json(INDEX)?;
    let mut found = ManifestList::default();
    collect(source, INDEX, &index, 0, &mut found)?;
    let descriptor = match (found.there.as_slice(), found.absent) {
        ([one], _) => one.clone(),
        ([], Some(absent)) => return Err(ImageError::Missing(absent)),
        ([], None) => return Err(ImageError::unfit(INDEX, "it has no image")),
        (several, _) => return Err(ImageError::Several(several.iter().map(shown).collect())),
    };
    let (name, bytes) = blob(source, &descriptor)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|_| ImageError::not_json(&name, &bytes))?;
    let media_type = descriptor["mediaType"].as_str().or_else(|| value["mediaType"].as_str()).unwrap_or(MANIFEST);
    if ![MANIFEST, DOCKER_MANIFEST].contains(&media_type) {
        return Err(ImageError::unfit(&name, format!("its media type is {media_type}")));
    }
    let config_type = value["config"]["mediaType"].as_str().unwrap_or_default();
    if !CONFIGS.contains(&config_type) {
        return Err(ImageError::unfit(&name, format!("it is not an image: its configuration is {config_type}")));
    }
    let config = blob(source, &value["config"])?;
    let listed = value["layers"].as_array().ok_or_else(|| ImageError::unfit(&name, "it has no layers"))?;
    let layers = listed.iter().map(|layer| self::layer(source, layer)).collect::<Result<Vec<_>, _>>()?;
    let form = Form::Oci { media_type: media_type.to_owned(), bytes, value: value.clone() };
    let image = Image::new((&config.0, config.1), layers, form)?;
    let own = docker::name(source).or_else(|| name_of(&descriptor));
    Ok(Image { name: own, ..image })
}

#[derive(Default)]
struct ManifestList {
    there: Vec<Value>,
    /// The first manifest that is not in the archive: it was saved for one platform of several.
    absent: Option<String>,
    count: usize,
}

fn collect(
    source: &mut ImageArchive<'_, impl Read + Seek>,
    name: &str,
    index: &Value,
    depth: usize,
    found: &mut ManifestList,
) -> Result<(), ImageError> {
    let manifests = index["manifests"].as_array();
    for descriptor in manifests.ok_or_else(|| ImageError::unfit(name, "it has no manifests"))? {
        found.count += 1;
        if found.count > MANIFESTS {
            return Err(ImageError::TooMany(format!("{MANIFESTS} manifests")));
        }
        // An attestation of an image is not an image.
        let is_attestation = descriptor["annotations"]["vnd.docker.reference.type"] == "attestation-manifest";
        if is_attestation || descriptor["platform"]["os"] == "unknown" {
            continue;
        }
        let path = path(descriptor)?;
        if !source.index.has(&path) {
            found.absent.get_or_insert(path);
            continue;
        }
        if descriptor["mediaType"].as_str().is_some_and(|kind| INDEXES.contains(&kind)) {
            if depth == DEPTH {
                return Err(ImageError::TooMany(format!("{DEPTH} nested indexes")));
            }
            let (name, bytes) = blob(source, descriptor)?;
            let inner: Value = serde_json::from_slice(&bytes).map_err(|_| ImageError::not_json(&name, &bytes))?;
            collect(source, &name, &inner, depth + 1, found)?;
        } else if !found.there.iter().any(|known| known["digest"] == descriptor["digest"]) {
            found.there.push(descriptor.clone());
        }
    }
    Ok(())
}

fn layer(source: &mut ImageArchive<'_, impl Read + Seek>, descriptor: &Value) -> Result<Layer, ImageError> {
    let name = path(descriptor)?;
    let extent = source.index.file(&name)?;
    check_size(&name, descriptor, extent.size)?;
    let kind = descriptor["mediaType"].as_str().unwrap_or_default();
    let plain = PLAIN.iter().find(|(plain, _)| *plain == kind);
    Ok(Layer {
        extent,
        name,
        media_type: plain.map_or(kind, |(_, compressed)| compressed).to_owned(),
        is_compressed: plain.is_none(),
        digest: descriptor["digest"].as_str().map(str::to_owned),
        diff_id: String::new(),
    })
}

/// Returns the name and the bytes of a blob; they match their digest.
fn blob(source: &mut ImageArchive<'_, impl Read + Seek>, descriptor: &Value) -> Result<(String, Vec<u8>), ImageError> {
    let name = path(descriptor)?;
    let bytes = source.text(&name)?;
    check_size(&name, descriptor, bytes.len() as u64)?;
    if name.ends_with(&hexadecimal(&hash(&bytes))) { Ok((name, bytes)) } else { Err(ImageError::Changed(name)) }
}

fn check_size(name: &str, descriptor: &Value, size: u64) -> Result<(), ImageError> {
    match descriptor["size"].as_u64() {
        Some(stated) if stated == size => Ok(()),
        _ => Err(ImageError::Changed(name.to_owned())),
    }
}

fn path(descriptor: &Value) -> Result<String, ImageError> {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    match digest.strip_prefix("sha256:").filter(|digits| digits.len() == 64 && digits.bytes().all(is_digit)) {
        Some(digits) => Ok(format!("blobs/sha256/{digits}")),
        None => Err(ImageError::unfit(INDEX, format!("`{digest}` is not a SHA-256 digest"))),
    }
}

fn name_of(descriptor: &Value) -> Option<(String, Option<String>)> {
    let annotation = |name: &str| descriptor["annotations"][name].as_str();
    let own = annotation("org.opencontainers.image.ref.name").filter(|name| name.contains(':'));
    names::name_and_tag(annotation("io.containerd.image.name").or(own)?)
}

fn shown(descriptor: &Value) -> String {
    let platform = &descriptor["platform"];
    let name = descriptor["annotations"]["org.opencontainers.image.ref.name"].as_str();
    match (platform["os"].as_str(), platform["architecture"].as_str()) {
        (Some(os), Some(architecture)) => format!("{os}/{architecture}"),
        _ => name.or(descriptor["digest"].as_str()).unwrap_or_default().to_owned(),
    }
}
